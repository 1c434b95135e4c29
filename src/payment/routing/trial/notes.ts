// Notes of stored choices. Thousands differ in nothing but the number that was drawn, so each shape is read once.
import type { RouteNote } from '../note.ts';

export type NoteShape = {
  /** Never that of another shape. */
  readonly number: number;
  /** With 0 for what was drawn. */
  readonly note: RouteNote;
};

export type StoredNote = {
  readonly shape: NoteShape;
  /** In basis points; undefined: nothing was drawn. */
  readonly drawn: number | undefined;
};

/** More than most accounts have of a month; then it begins anew. */
const MOST = 5000;
/** Within a text of JSON a quote has a backslash before it, so this is the member itself. */
const DRAWN = /"u":(\d+)/;

export class NoteShapes {
  private readonly known = new Map<string, NoteShape>();
  private count = 0;

  /** `text`: as it is stored. */
  read(text: string): StoredNote {
    const found = DRAWN.exec(text);
    if (!found) return { shape: this.shapeOf(text), drawn: undefined };
    const [member, drawn] = found;
    return { shape: this.shapeOf(text.replace(member, '"u":0')), drawn: Number(drawn) };
  }

  private shapeOf(text: string): NoteShape {
    const known = this.known.get(text);
    if (known) return known;
    if (this.known.size >= MOST) this.known.clear();
    const shape = { number: (this.count += 1), note: JSON.parse(text) as RouteNote };
    this.known.set(text, shape);
    return shape;
  }
}
