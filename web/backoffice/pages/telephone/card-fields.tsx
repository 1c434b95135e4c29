// The vault's own frame, for the card that a payer says on the telephone. This page learns from it whether the card is
// complete, and at the end a token, but no digit.
import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { LANGUAGE, t } from '../../base/texts.ts';
import { FieldsFrame } from '../../../fields-frame.ts';
import type { FromFields, Look, Reason } from '../../../messages.ts';

/** A token, or the reason why there is none. */
export type Typed = { readonly token: string } | { readonly problem: string };
/** Asks the frame for a token of the typed card. */
export type Tokenize = () => Promise<Typed>;

type Props = {
  readonly vault_url: string;
  readonly card_key: string;
  readonly tokenize: RefObject<Tokenize | undefined>;
  readonly changed: (complete: boolean) => void;
  readonly lost: () => void;
};

const PROBLEMS: Readonly<Record<Reason, string>> = {
  card: t('The card was refused: see its fields.'),
  setup: t('The vault does not take cards from this page.'),
  session: t('The page is too old: load it again.'),
  saved_card: t('The card cannot be used.'),
  busy: t('Too many cards in a short time: try again in a minute.'),
  offline: t('The vault cannot be reached.'),
  unknown: t('The vault did not take the card.'),
};

export function CardFields({ vault_url, card_key, tokenize, changed, lost }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useComputedColorScheme('light');
  const told = useRef({ changed, lost });
  told.current = { changed, lost };
  useEffect(() => {
    const { current } = place;
    if (!current) return undefined;
    const waiting = new Map<number, (typed: Typed) => void>();
    let asked = 0;
    const end = (id: number, typed: Typed) => {
      waiting.get(id)?.(typed);
      waiting.delete(id);
    };
    const hear = (message: FromFields) => {
      if (message.kind === 'height') frame.element.style.height = `${message.pixels}px`;
      else if (message.kind === 'change') told.current.changed(message.complete);
      else if (message.kind === 'token') end(message.id, { token: message.token });
      else if (message.kind === 'incomplete')
        end(message.id, { problem: t('Something is missing: see the card fields.') });
      else if (message.kind === 'refused') end(message.id, { problem: PROBLEMS[message.reason] });
    };
    const frame = new FieldsFrame({
      vault_url,
      key: card_key,
      language: LANGUAGE,
      theme,
      title: t('Card of the payer'),
      greeted: () =>
        frame.say({
          kind: 'configure',
          look: lookOf(current, theme),
          schemes: [],
          holder: true,
          holder_name: '',
          checkout_id: '',
          key: '',
        }),
      hear,
      lost: () => told.current.lost(),
    });
    current.replaceChildren(frame.element);
    tokenize.current = () =>
      new Promise((done) => {
        asked += 1;
        waiting.set(asked, done);
        frame.say({ kind: 'tokenize', id: asked, token_type: 'oneshot' });
      });
    return () => {
      tokenize.current = undefined;
      for (const id of waiting.keys()) end(id, { problem: t('The card fields were closed.') });
      frame.close();
    };
  }, [vault_url, card_key, theme, tokenize]);
  return <div ref={place} className="card-fields" />;
}

/** The card fields look like the fields of the form around them. */
function lookOf(place: HTMLElement, theme: Look['theme']): Look {
  const style = getComputedStyle(place);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    theme,
    variables: {
      'font-family': 'system-ui, sans-serif',
      'font-size': '15px',
      'color-text': value('--ink'),
      'color-soft': value('--muted'),
      'color-field': value('--surface'),
      'color-ground': value('--surface'),
      'color-line': value('--line-strong'),
      'color-accent': value('--accent'),
      'color-error': value('--bad'),
      radius: '6px',
    },
  };
}
