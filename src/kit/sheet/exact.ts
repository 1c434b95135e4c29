// A number of a sheet or file that is written digit for digit: a number of a spreadsheet may not hold it.
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new Error('an exact number is written as a decimal');
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}
