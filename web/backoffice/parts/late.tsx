// A field whose text takes effect when the person has finished it.
import { TextInput } from '@mantine/core';
import { useState } from 'react';

type LateProps = { readonly label: string; readonly value: string; readonly change: (value: string) => void };

/** Takes effect when Enter is pressed or the field is left. */
export function Late({ label, value, change }: LateProps) {
  const [text, setText] = useState(value);
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => change(text.trim())}
      onKeyDown={(event) => (event.key === 'Enter' ? change(text.trim()) : undefined)}
    />
  );
}
