// Fields of a contract with a provider, as the back office takes them.
import { isCredential, isCredentialName } from '../../core/ids.ts';
import { bool, id24, int } from '../../core/fields.ts';
import type { JsonValue } from '../../core/json.ts';
import { CURRENCIES } from '../../core/money.ts';
import { type Field, objectOf } from '../../core/shape.ts';
import type { CredentialChange } from '../../payment/merchant/credentials/credentials.ts';
import { REASON } from '../reason.ts';

const MOST_WORDS = 200;

/** A list of words, each of which the rule takes; an empty list means anything. */
function words(says: string, takes: (word: string) => boolean): Field<readonly string[], false> {
  return {
    schema: { type: 'array', items: { type: 'string' }, maxItems: MOST_WORDS },
    required: false,
    read: (value, name, reading) => {
      const list: readonly JsonValue[] = Array.isArray(value) ? value : [null];
      const read = list.filter((word): word is string => typeof word === 'string' && takes(word));
      const right = read.length === list.length && list.length <= MOST_WORDS;
      return right ? [...new Set(read)] : reading.refuse(name, `must be a list of ${says}`);
    },
  };
}

const seen = words('words', () => true);

/** The fields of a contract that a person may change. */
export const CHANGE = {
  priority: int(1, 1000),
  enabled: bool,
  methods: words('payment methods such as visa', (word) => /^[a-z_]{2,40}$/.test(word)),
  currencies: words('currency codes', (word) => CURRENCIES.has(word)),
  channels: words('channels such as e_commerce', (word) => /^[a-z_-]{2,40}$/.test(word)),
  countries: words('country codes', (word) => /^[A-Z]{2}$/.test(word)),
  before: id24,
  // a page of the version before does not say what it saw
  was: objectOf({ priority: int(0, 1_000_000), methods: seen, currencies: seen, channels: seen, countries: seen }),
  reason: REASON,
};

/** An object of names and values, null to remove one; every value that cannot be one is named. */
export const CREDENTIALS: Field<CredentialChange, false> = {
  schema: { type: 'object', additionalProperties: { type: ['string', 'null'], maxLength: 4096 }, minProperties: 1 },
  required: false,
  read: (value, name, reading) => {
    if (!(value instanceof Map) || value.size === 0) return reading.refuse(name, 'must hold a credential');
    const read: Record<string, string | null> = {};
    for (const [key, one] of value) {
      if (!isCredentialName(key)) reading.refuse(`${name}.${key.slice(0, 40)}`, 'is no name of a credential');
      else if (one === null) read[key] = null;
      else if (typeof one !== 'string' || !isCredential(one))
        reading.refuse(`${name}.${key}`, 'must be 1 to 4096 visible characters of ASCII, without blanks at its ends');
      else read[key] = one;
    }
    return read;
  },
};
