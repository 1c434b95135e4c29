// Short messages in a corner about what was done. Screen readers read them out; they go away after a while, but stay
// while the pointer is on them.
import { CloseButton } from '@mantine/core';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Icon } from '../parts/icons.tsx';
import { ApiError } from './api.ts';
import { t } from './texts.ts';

type Toast = { readonly id: number; readonly kind: 'good' | 'bad'; readonly title: string; readonly text?: string };

let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

function set(changed: readonly Toast[]): void {
  toasts = changed;
  for (const told of listeners) told();
}

function listen(told: () => void): () => void {
  listeners.add(told);
  return () => listeners.delete(told);
}

export function tell(title: string, text?: string, kind: Toast['kind'] = 'good'): void {
  set([...toasts, { id: next++, kind, title, ...(text === undefined ? {} : { text }) }]);
}

export function tellError(title: string, error: unknown): void {
  const text = error instanceof ApiError || error instanceof Error ? error.message : String(error);
  set([...toasts, { id: next++, kind: 'bad', title, text }]);
}

export function Toasts() {
  const shown = useSyncExternalStore(listen, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <One key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

const SHOWN_MS = 7000;

function One({ toast }: { readonly toast: Toast }) {
  const [held, hold] = useState(false);
  const before = useRef<Element>(null);
  const close = () => set(toasts.filter((other) => other.id !== toast.id));
  useEffect(() => {
    if (held || toast.kind === 'bad') return undefined;
    const timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div className={`toast ${toast.kind}`} onMouseEnter={() => hold(true)} onMouseLeave={() => hold(false)}>
      <Icon name={toast.kind === 'good' ? 'check' : 'alert'} />
      <div>
        <div className="strong">{toast.title}</div>
        {toast.text === undefined ? null : <div className="muted small">{toast.text}</div>}
      </div>
      <CloseButton
        size="sm"
        aria-label={t('Close')}
        onFocus={({ relatedTarget }) => (before.current = relatedTarget)}
        onClick={() => {
          close();
          // whoever closes it by the keyboard goes on where they were
          if (before.current instanceof HTMLElement) before.current.focus();
        }}
      />
    </div>
  );
}
