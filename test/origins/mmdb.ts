// A MaxMind DB file with a few IPv4 networks, written by the format's specification 2.0: a search tree of 24-bit
// records, data, metadata.

type Value = string | number | { readonly [name: string]: Value };
type Node = { readonly at: [Node | number | undefined, Node | number | undefined] };

/** `networks`: what a database says of each, such as ['1.2.0.0/16', { country: { iso_code: 'FR' } }]. */
export function writeMmdb(networks: readonly (readonly [network: string, value: Value])[]): Buffer {
  const root: Node = { at: [undefined, undefined] };
  const data: Buffer[] = [];
  for (const [network, value] of networks) {
    const offset = data.reduce((sum, one) => sum + one.length, 0);
    data.push(encode(value));
    place(root, network, offset);
  }
  const nodes = nodesOf(root);
  const tree = Buffer.concat(nodes.flatMap(({ at }) => at.map((child) => record(childNumber(child, nodes)))));
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    database_type: 'Test',
    ip_version: 4,
    node_count: nodes.length,
    record_size: 24,
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...data, Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), metadata]);
}

function place(root: Node, network: string, offset: number): void {
  const [address = '', bits = '32'] = network.split('/');
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  let node = root;
  for (let i = 0; i < Number(bits); i++) {
    const side = Math.floor(number / 2 ** (31 - i)) % 2 === 0 ? 0 : 1;
    if (i === Number(bits) - 1) node.at[side] = offset;
    else {
      const next = node.at[side];
      const below: Node = typeof next === 'object' ? next : { at: [undefined, undefined] };
      node.at[side] = below;
      node = below;
    }
  }
}

function nodesOf(node: Node): readonly Node[] {
  return [node, ...node.at.flatMap((child) => (typeof child === 'object' ? nodesOf(child) : []))];
}

/** A node's number, or behind the tree's end and 16 empty bytes what is known, or nothing. */
function childNumber(child: Node | number | undefined, nodes: readonly Node[]): number {
  if (child === undefined) return nodes.length;
  return typeof child === 'object' ? nodes.indexOf(child) : nodes.length + 16 + child;
}

function record(number: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntBE(number, 0, 3);
  return bytes;
}

/** Types 2 text, 6 unsigned 32 bits, 7 map; none is longer than 28. */
function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([Buffer.from([0x40 + value.length]), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(5);
    bytes[0] = 0xc4;
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  const members = Object.entries(value);
  return Buffer.concat([
    Buffer.from([0xe0 + members.length]),
    ...members.flatMap(([name, member]) => [encode(name), encode(member)]),
  ]);
}
