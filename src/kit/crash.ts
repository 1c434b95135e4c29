// Ends the process at a named place, as if its power was cut. Nothing is armed unless it is said.

export type Crash<Point extends string> = {
  /** Ends the process here, by SIGKILL, when this point is armed. */
  at(point: Point): void;
  /** Ends it a moment later, while what was just begun is under way. */
  during(point: Point): void;
};

/** `armed`: the name of a point, and after a colon how many times it is passed before; empty: nothing is armed. */
export function crashAt<Point extends string>(armed: string): Crash<Point> {
  const [name, passes = '0'] = armed.split(':');
  if (!name) return { at: () => undefined, during: () => undefined };
  let left = Number(passes);
  const hit = (point: Point) => point === name && left-- <= 0;
  const die = () => process.kill(process.pid, 'SIGKILL');
  return {
    at: (point) => {
      if (hit(point)) die();
    },
    during: (point) => {
      if (hit(point)) setTimeout(die, 1);
    },
  };
}
