// Letters as the path data of an SVG: whole numbers on a fine grid and relative steps, because a payer downloads every
// byte.

/** A step of an outline, in parts of the letter height (em); y grows downwards from the base line. */
export type Step =
  | { readonly type: 'M' | 'L'; readonly x: number; readonly y: number }
  | { readonly type: 'Q'; readonly x: number; readonly y: number; readonly x1: number; readonly y1: number }
  | { readonly type: 'Z' };

export type Place = { readonly x: number; readonly base_line: number; readonly size: number };

type Point = readonly [number, number];
type Line = Exclude<Step, { type: 'Z' }>;
/** A command of path data; `bend` is the control point of a curve. */
type Command = { readonly letter: string; readonly numbers: readonly number[]; readonly bend?: Point };

/**
 * The unit of the path data, in pixels: fine enough for four times the size, and most numbers then have one or two
 * digits.
 */
export const GRID = 0.04;
// A curve that continues the one before may leave out its control point, if that moves the point by at most this many
// steps of the grid.
const SMOOTH = 1;

/** The horizontal extent of a line of letters, in em. */
export function inkOf(steps: readonly Step[]): { left: number; width: number } {
  const xs = steps.flatMap((step) => (step.type === 'Z' ? [] : [step.x]));
  const left = Math.min(...xs);
  return { left, width: Math.max(...xs) - left };
}

/** Path data on the grid, for letters whose ink begins at x. */
export function pathOf(steps: readonly Step[], place: Place): string {
  const { left } = inkOf(steps);
  const onGrid = (x: number, y: number): Point => [
    Math.round((place.x + (x - left) * place.size) / GRID),
    Math.round((place.base_line + y * place.size) / GRID),
  ];
  let here: Point = [0, 0];
  // The control point of the next curve, if that curve names none.
  let mirrored: Point | undefined;
  const commands: Command[] = [];
  for (const step of steps) {
    // a filled outline is closed without this command
    if (step.type === 'Z') continue;
    const to = onGrid(step.x, step.y);
    if (step.type === 'L' && to[0] === here[0] && to[1] === here[1]) continue;
    const command =
      step.type === 'Q' ? curve(here, to, { bend: onGrid(step.x1, step.y1), mirrored }) : straight(step, here, to);
    commands.push(command);
    const { bend } = command;
    mirrored = bend && [2 * to[0] - bend[0], 2 * to[1] - bend[1]];
    here = to;
  }
  return joined(commands);
}

/** An outline begins at an absolute place, so that one line of letters can follow another. */
function straight({ type }: Line, from: Point, to: Point): Command {
  if (type === 'M') return { letter: 'M', numbers: to };
  if (to[0] === from[0]) return { letter: 'v', numbers: [to[1] - from[1]] };
  if (to[1] === from[1]) return { letter: 'h', numbers: [to[0] - from[0]] };
  return { letter: 'l', numbers: between(from, to) };
}

function curve(from: Point, to: Point, { bend, mirrored }: { bend: Point; mirrored: Point | undefined }): Command {
  const off = mirrored && between(mirrored, bend).map(Math.abs);
  return off !== undefined && Math.max(...off) <= SMOOTH
    ? { letter: 't', numbers: between(from, to), ...(mirrored && { bend: mirrored }) }
    : { letter: 'q', numbers: [...between(from, bend), ...between(from, to)], bend };
}

function between(from: Point, to: Point): Point {
  return [to[0] - from[0], to[1] - from[1]];
}

/** Makes path data as short as possible: leaves out a repeated letter, and the blank before a sign. */
function joined(commands: readonly Command[]): string {
  let before = '';
  const parts = commands.map(({ letter, numbers }) => {
    const text = numbers.map((number, i) => (i === 0 || number < 0 ? String(number) : ` ${number}`)).join('');
    const repeats = letter === before;
    before = letter;
    if (!repeats) return letter + text;
    return text.startsWith('-') ? text : ` ${text}`;
  });
  return parts.join('');
}
