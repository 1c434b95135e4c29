// From the name of a route to a request: what every group of methods calls with.
import { FlorinNoAnswer } from '../errors.ts';
import { type Answered, type Call, type CallOptions, type Connection, type Unknown, send } from '../send/send.ts';
import { ROUTES, type RouteName } from '../wire/routes.ts';

type Asked = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object | undefined;
};

function callOf(name: RouteName, { params = {}, query = {}, body }: Asked): Call {
  const [method, path] = ROUTES[name];
  const filled = path.replace(/\{(\w+)\}/g, (_, param: string) => {
    const value = params[param] ?? '';
    // an empty id would ask for another route
    if (value === '') throw new TypeError(`${param} is empty`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.append(key, String(value));
  const asked = search.toString();
  return { method, path: asked === '' ? filled : `${filled}?${asked}`, body };
}

/** A request that moves no money: answers the body, or throws. */
export async function ask<Answer>(
  connection: Connection,
  name: RouteName,
  { options, ...asked }: Asked & { readonly options?: CallOptions | undefined } = {},
): Promise<Answer> {
  const said = await send(connection, callOf(name, asked), options);
  if (said.kind === 'unknown') throw new FlorinNoAnswer(said);
  return said.body as Answer;
}

/** One that moves money: no answer is doubt. `again`: a call before it was not answered, or not decided. */
export function move(
  connection: Connection,
  name: RouteName,
  {
    options,
    again = false,
    ...asked
  }: Asked & { readonly options?: CallOptions | undefined; readonly again?: boolean },
): Promise<Answered | Unknown> {
  return send(connection, { ...callOf(name, asked), money: true, again }, options);
}
