// A field for a password or another secret, with a button that shows it.
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** Mantine only colours a wrong one: it was neither heard as wrong nor found by what gives the focus. */
export function PasswordField({ error, ...rest }: PasswordInputProps) {
  return <PasswordInput {...rest} error={error} aria-invalid={error ? true : undefined} />;
}
