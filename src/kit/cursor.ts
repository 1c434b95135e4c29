/** The bytes of a cursor that was not changed: base64url has one way to write them. */
export function bytesOfCursor(sent: string): Buffer | undefined {
  const bytes = Buffer.from(sent, 'base64url');
  return bytes.toString('base64url') === sent ? bytes : undefined;
}
