// An address that names several servers, as libpq writes it:
// postgres://user@one:5432,two:5432/db?target_session_attrs=read-write. The driver takes one server at a time, so each
// becomes an address of its own; which of them is the primary is found by looking.

/** One address for each server, in order; an address of one server stays as it is. */
export function addressesOf(url: string): readonly string[] {
  const parts = /^(?<head>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<tail>[/?#].*)?$/.exec(url)?.groups;
  const hosts = parts?.['hosts']?.split(',') ?? [];
  if (hosts.length < 2) return [url];
  return hosts.map((host) => `${parts?.['head']}${host}${withoutTarget(parts?.['tail'] ?? '')}`);
}

/** The driver does not know it, and sends what it does not know to the server. */
function withoutTarget(tail: string): string {
  return tail.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before: string, after: string) =>
    after === '&' ? before : '',
  );
}
