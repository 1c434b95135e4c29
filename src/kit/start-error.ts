/** Florin cannot start for a reason that the person at the keyboard can mend: the message says what is wrong and how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
