// Products that lose what was acknowledged, and the sentence that must see it. F4, a manager that promotes the wrong
// one, is in failover.test.ts.
import type { Patch } from '../chaos/patch.ts';

type FailoverMutant = {
  /** What is wrong with it. */
  readonly says: string;
  readonly patch: Patch;
  readonly seen_by: readonly [file: string, sentence: string];
};

const below = 'src/kit/database';

export const FAILOVER_MUTANTS: Readonly<Record<string, FailoverMutant>> = {
  'f1-no-standby-names': {
    says: 'a server that waits for no standby is worked with',
    patch: {
      in: { function: 'requireReplicated', below: `${below}/door` },
      find: `standby_names === ''`,
      put: 'false',
    },
    seen_by: ['failover/door', 'if commits must be on two machines, a server without standbys is not used'],
  },
  'f2-local-commits': {
    says: 'commits that do not wait for the standby are worked with',
    patch: { in: { function: 'requireReplicated', below: `${below}/door` }, find: `'local', `, put: '' },
    seen_by: [
      'failover/door',
      'if commits must be on two machines, a server that does not wait for the other is not used',
    ],
  },
  'f3-warning-not-heard': {
    says: 'a commit whose wait was cancelled is told as done',
    patch: {
      in: { function: 'requireReplicated', below: `${below}/notices` },
      find: 'said !== undefined',
      put: 'false',
    },
    seen_by: [
      'failover/answers',
      'a commit whose wait for the standby was cancelled is not told as done, however it was sent',
    ],
  },
  'f5-repeated-commit': {
    says: 'a batch of which nothing is known is sent again',
    patch: {
      in: { function: 'sendBatch', below: `${below}/batch` },
      find: 'const refused = refusalIn(error);',
      put: 'const refused = error as { readonly code?: string };',
    },
    seen_by: ['failover/answers', 'a neighbour of the same batch is not told as done either'],
  },
  'f6-old-primary-kept': {
    says: 'connections to the server that was primary before are kept',
    patch: {
      in: { function: 'isOurs', below: `${below}/door` },
      find: 'return this.marks.get(client) === this.history?.mark;',
      put: 'return this.marks.has(client);',
    },
    seen_by: ['failover/door', 'connections of before another server was primary are not used any more'],
  },
  'f7-standby-read': {
    says: 'a standby is worked with',
    patch: { in: { function: 'requireOurs', below: `${below}/door` }, find: 'seen.is_standby', put: 'false' },
    seen_by: ['failover/door', 'a start against a standby says so, and names the setting; it is never ready'],
  },
  'f8-second-key': {
    says: 'a key that the database was not used with is worked with',
    patch: {
      in: { function: 'openSecretKey', below: 'src/payment' },
      find: '=== check',
      put: `!== ''`,
    },
    seen_by: [
      'start/secret-key',
      'a host with another key, or with none, does not start on a database that was used with one',
    ],
  },
};
