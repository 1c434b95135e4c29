// Letters as the path data of an SVG: whole numbers on a fine grid and relative steps, because every byte is sent to a payer.

/** A step of an outline, in parts of the letter height (em), y downwards from the base line. */
export type Step =
  | { readonly type: 'M' | 'L'; readonly x: number; readonly y: number }
  | { readonly type: 'Q'; readonly x: number; readonly y: number; readonly x1: number; readonly y1: number }
  | { readonly type: 'Z' };

export type Place = { readonly x: number; readonly base_line: number; readonly size: number };

type Point = readonly [number, number];

/** Path data counts in this part of a pixel: fine enough for four times the size, and most numbers have one digit or two. */
export const GRID = 0.05;
// A curve that goes on as the one before may leave out its control point; so far, in steps of the grid, may it then be off.
const SMOOTH = 1;

/** What a line of letters covers from left to right, in em. */
export function inkOf(steps: readonly Step[]): { left: number; width: number } {
  const xs = steps.flatMap((step) => (step.type === 'Z' ? [] : [step.x]));
  const left = Math.min(...xs);
  return { left, width: Math.max(...xs) - left };
}

/** Path data, on the grid, of letters whose ink begins at x. */
export function pathOf(steps: readonly Step[], place: Place): string {
  const { left } = inkOf(steps);
  const onGrid = (x: number, y: number): Point => [
    Math.round((place.x + (x - left) * place.size) / GRID),
    Math.round((place.base_line + y * place.size) / GRID),
  ];
  let here: Point = [0, 0];
  let start = here;
  // The control point a curve has when it names none.
  let mirrored: Point | undefined;
  let data = '';
  let letter = '';
  const add = (next: string, ...numbers: number[]): void => {
    // A letter that repeats may be left out, but for a new outline, which it would turn into a line.
    const text = joined(numbers);
    data += next === letter && next !== 'm' ? (text.startsWith('-') ? text : ` ${text}`) : next + text;
    letter = next;
  };
  for (const step of steps) {
    if (step.type === 'Z') {
      add('z');
      here = start;
      mirrored = undefined;
      continue;
    }
    const to = onGrid(step.x, step.y);
    const way: Point = [to[0] - here[0], to[1] - here[1]];
    if (step.type === 'Q') {
      const control = onGrid(step.x1, step.y1);
      const smooth = mirrored !== undefined && near(mirrored, control);
      const bend = smooth && mirrored !== undefined ? mirrored : control;
      if (smooth) add('t', ...way);
      else add('q', control[0] - here[0], control[1] - here[1], ...way);
      mirrored = [2 * to[0] - bend[0], 2 * to[1] - bend[1]];
    } else {
      if (step.type === 'M') add('m', ...way);
      else if (way[0] === 0) add('v', way[1]);
      else if (way[1] === 0) add('h', way[0]);
      else add('l', ...way);
      mirrored = undefined;
    }
    here = to;
    if (step.type === 'M') start = to;
  }
  return data;
}

function near(a: Point, b: Point): boolean {
  return Math.abs(a[0] - b[0]) <= SMOOTH && Math.abs(a[1] - b[1]) <= SMOOTH;
}

function joined(numbers: readonly number[]): string {
  return numbers.map((number, i) => (i === 0 || number < 0 ? String(number) : ` ${number}`)).join('');
}
