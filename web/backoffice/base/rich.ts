// A sentence that contains parts of a page: money, a moment, a link.
import { Fragment, type ReactNode, createElement } from 'react';
import { type Names, type Values, formOf } from './texts.ts';

export function rich<Key extends string>(key: Key, ...[values]: Values<Names<Key>, ReactNode>): ReactNode {
  const nodes: Readonly<Record<string, ReactNode>> = values ?? {};
  const parts = formOf(key).split(/\{(\w+)\}/);
  return createElement(Fragment, null, ...parts.map((part, i) => (i % 2 === 0 ? part : nodes[part])));
}
