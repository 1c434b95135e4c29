// Wire: signing in, the person and their account, the team.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

/** The roles that there always are. */
export type Role = 'owner' | 'administrator' | 'developer' | 'operator' | 'reader';
/** The key of a role that every account has, or the id of a role that the account made. */
export type RoleKey = string;
type HasRole = {
  readonly role: RoleKey;
  /** The name of a role of the account's own. */
  readonly role_name?: string;
};

/** A right of a role. The web app hides what the session's `rights` do not contain; the server refuses it. */
export type Right =
  | 'read'
  | 'money'
  | 'notes'
  | 'rule'
  | 'cards'
  | 'links'
  | 'telephone'
  | 'export'
  | 'erase'
  | 'keys'
  | 'settings'
  | 'providers'
  | 'hold'
  | 'risk'
  | 'notifications'
  | 'requests'
  | 'team'
  | 'audit'
  | 'sandbox';

export type Person = { readonly id: string; readonly name: string; readonly email: string };
export type Account = HasRole & { readonly id: string; readonly name: string };

export type Session = {
  readonly person: Person;
  /** The account everything is about. */
  readonly account: Account;
  readonly accounts: readonly Account[];
  readonly rights: readonly Right[];
  /** Goes into the header x-csrf-token. */
  readonly csrf: string;
  /** Idle: moved by every request. Ends: whatever happens. */
  readonly idle_at: string;
  readonly ends_at: string;
  readonly totp: boolean;
  /** This person has some. */
  readonly passkeys: boolean;
  /** This person must set up a second factor before anything else (owner and administrator in production). */
  readonly must_enrol: boolean;
};

export type SessionState = {
  readonly environment: 'sandbox' | 'production';
  readonly brand: string;
  readonly base_url: string;
  readonly vault_url: string;
  /** The origin at which passkeys can be used; null: nowhere, because the back office has no name of its own. */
  readonly passkey_origin: string | null;
  /** Null: signed out. */
  readonly session: Session | null;
};

export type Login = { readonly email: string; readonly password: string };
/** `totp`: send the code with this ticket (good for five minutes). */
export type LoginAnswer =
  | { readonly next: 'done'; readonly state: SessionState }
  | { readonly next: 'totp'; readonly ticket: string; readonly passkeys: boolean };
/** Six digits, or a recovery code. */
export type TotpLogin = { readonly ticket: string; readonly code: string };

/**
 * The request for a question to an authenticator. With the ticket of a password's answer it is the second step; without
 * a ticket the passkey signs in alone.
 */
export type PasskeyAsk = { readonly ticket?: string };
export type PasskeyQuestion = { readonly options: PublicKeyCredentialRequestOptionsJSON };
export type PasskeyAnswer = { readonly response: AuthenticationResponseJSON };
export type PasskeyLogin = PasskeyAnswer & { readonly ticket?: string };
export type NewPasskeyQuestion = { readonly options: PublicKeyCredentialCreationOptionsJSON };
export type NewPasskeyForm = { readonly name: string; readonly response: RegistrationResponseJSON };
export type Passkey = {
  readonly id: string;
  readonly name: string;
  /** The person's other devices have it, too. */
  readonly synced: boolean;
  readonly created_at: string;
  readonly used_at: string | null;
};

export type Welcome = HasRole & {
  readonly kind: 'first' | 'invitation';
  readonly account: { readonly name: string };
  readonly email: string | null;
  /** The person exists already: only the password is asked. */
  readonly known: boolean;
  /** The link came by mail, and that person has never proved the address: a new login may be made instead. */
  readonly anew?: true;
  readonly expires_at: string;
};
/** `email` only where Welcome.email is null, `anew` only where Welcome has it; at least 12 characters of password. */
export type Acceptance = {
  readonly name?: string;
  readonly email?: string;
  readonly password: string;
  readonly anew?: boolean;
};

/** `code`: where there is a second factor. */
export type Proof = { readonly password: string; readonly code?: string };
/** Shown once. */
export type CommandSecret = { readonly secret: string };
export type PasswordChange = { readonly password: string; readonly new_password: string };
/** `uri` is otpauth://totp/…, for the QR picture; `secret` in base32 for typing. */
export type TotpOffer = { readonly uri: string; readonly secret: string };
/** Shown once. */
export type RecoveryCodes = { readonly codes: readonly string[] };

export type OwnSession = {
  readonly id: string;
  readonly from: string;
  /** The country of that address: ISO 3166 code of two letters; null: not known. */
  readonly country: string | null;
  readonly browser: string;
  readonly created_at: string;
  readonly seen_at: string;
  readonly current: boolean;
};
export type Me = {
  readonly person: Person;
  readonly totp: boolean;
  /** Mails of what needs a person in this account, and whether they reach this one. */
  readonly alarms: { readonly on: boolean; readonly reaches: 'yes' | 'no_server' | 'unproved' };
  readonly recovery_codes_left: number;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly OwnSession[];
};

export type Member = Person &
  HasRole & {
    readonly totp: boolean;
    readonly last_login_at: string | null;
    readonly sessions: number;
    readonly locked_until: string | null;
    /** Null: the first owner. */
    readonly invited_by: string | null;
    /** They came by a link that was mailed there. */
    readonly address_proved: boolean;
  };
export type Invitation = HasRole & {
  readonly id: string;
  readonly email: string;
  readonly invited_by: string;
  readonly expires_at: string;
  readonly mail?: { readonly state: 'waiting' | 'sent' | 'refused' | 'given_up' | 'kept'; readonly note: string };
};
/** A role of the account, with what the one who asks may do with it. */
export type TeamRole = HasRole & {
  readonly rights: readonly Right[];
  readonly members: number;
  readonly invitations: number;
  /** They may give it to others; one of the account's own they may change as well, unless it is theirs. */
  readonly may_give: boolean;
  readonly yours: boolean;
};
export type Team = {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
  readonly roles: readonly TeamRole[];
  /** Whether mails are sent, kept for the page of the sandbox, or neither. */
  readonly mails: 'sent' | 'kept' | 'none';
};
export type OwnRoleForm = { readonly name: string; readonly rights: readonly Right[]; readonly reason: string };
/** `was`: its rights as the person saw them; where they are others by now, nothing is changed. */
export type RoleChangeForm = OwnRoleForm & { readonly was?: readonly Right[] };
/** `becomes`: what those who have it get. */
export type RoleRemovalForm = { readonly becomes?: RoleKey; readonly reason: string };
/** `by` absent: by mail where one is sent, else by a link. */
export type InvitationForm = { readonly email: string; readonly role: RoleKey; readonly by?: 'mail' | 'link' };
/** The link is shown once, to be handed over; null: it was mailed. */
export type NewInvitation = Team & { readonly link: string | null };
export type RoleForm = { readonly role: RoleKey; readonly reason: string };
export type ReasonForm = { readonly reason: string };
