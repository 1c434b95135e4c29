// The address of an endpoint as it is shown to those who may not change it, in the audit and in the request log. Many
// receivers take a token in the path or the query, and who has it can speak to the receiver.

/** Scheme, host and port. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

/** The origin, and a sign that there is more. */
export function shortened(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search === '/' ? originOf(url) : `${originOf(url)}/…`;
}
