// When a later try is, as sentences, and over random declines with a seed.
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/durations.ts';
import { zoneOfCountry } from '../../src/core/zone.ts';
import { CLASSES } from '../../src/core/retries/classes.ts';
import { type AfterDecline, nextTry } from '../../src/core/retries/next-try.ts';
import { policyOf } from '../../src/core/retries/policy.ts';
import { seeded } from '../seeded.ts';

const policy = policyOf('default') ?? expect.unreachable();
/** A Monday, past noon. */
const NOW = new Date('2026-11-23T13:00:00Z');

const after = (more: Partial<AfterDecline> = {}): AfterDecline => ({
  policy,
  following: { class: 'later', wait_s: null, schedule: 'funds' },
  made: 0,
  now: NOW,
  until: new Date(NOW.getTime() + 30 * DAY_MS),
  draw: 0,
  zone: 'UTC',
  card_ends: null,
  ...more,
});
const said = (more: Partial<AfterDecline> = {}) => {
  const next = nextTry(after(more));
  return 'ended' in next ? next.ended : `${next.due.toISOString().slice(0, 16)} ${next.cause}`;
};
const of = (following: Partial<AfterDecline['following']>) => ({
  following: { class: 'later' as const, wait_s: null, schedule: null, ...following },
});

describe('the next try', () => {
  test('of a lack of funds is on a day on which wages come, in the morning', () => {
    // Thursday the 26th would be three days later; the 27th is a Friday
    expect(said()).toBe('2026-11-27T06:00 funds');
    expect(said({ draw: 0.5 })).toBe('2026-11-27T08:00 funds');
    // from Friday the 27th: Monday the 30th is the last working day of its month
    expect(said({ now: new Date('2026-11-27T13:00:00Z') })).toBe('2026-11-30T06:00 funds');
    // from the 10th: the 13th is a Sunday, the 15th two days later
    expect(said({ now: new Date('2026-12-10T13:00:00Z') })).toBe('2026-12-15T06:00 funds');
    // no such day within two more
    expect(said({ now: new Date('2026-11-16T13:00:00Z'), made: 1 })).toBe('2026-11-21T06:00 funds');
  });

  test("is in the morning of the payer's own country", () => {
    expect(said({ zone: zoneOfCountry('JP') ?? '' })).toBe('2026-11-26T21:00 funds');
    expect(said({ zone: zoneOfCountry('FR') ?? '' })).toBe('2026-11-27T05:00 funds');
    expect(zoneOfCountry('US')).toMatch(/^America\//);
    expect([zoneOfCountry('XX'), zoneOfCountry(''), zoneOfCountry('und-x')]).toEqual([undefined, undefined, undefined]);
  });

  test('of trouble is within hours, and of a decline without a reason within days', () => {
    expect(said(of({ schedule: 'technical', class: 'other_route' }))).toBe('2026-11-23T14:00 technical');
    expect(said({ ...of({ schedule: 'technical', class: 'other_route' }), made: 1 })).toBe(
      '2026-11-23T19:00 technical',
    );
    expect(said(of({ schedule: 'generic', class: 'other_route_soft' }))).toBe('2026-11-24T13:00 generic');
  });

  test('is exactly when the scheme advised, or a little later', () => {
    expect(said(of({ wait_s: 86_400, schedule: 'funds' }))).toBe('2026-11-24T13:00 advice');
    expect(said({ ...of({ wait_s: 86_400, schedule: 'funds' }), draw: 0.5 })).toBe('2026-11-24T14:12 advice');
  });
});

describe('there is none', () => {
  test.each([
    ['after a stop', of({ class: 'stop', schedule: 'generic' }), 'stopped'],
    ['after a stop that also says when', of({ class: 'stop', wait_s: 60 }), 'stopped'],
    ['where the payer must authenticate', of({ class: 'with_3ds' }), 'payer_needed'],
    ['where the card must be corrected', of({ class: 'fix_input' }), 'payer_needed'],
    ['where nothing would change', of({ class: 'other_route' }), 'not_retryable'],
    ['after the last try', { made: 4 }, 'tries_used_up'],
    ['after the last wait of its kind', { ...of({ schedule: 'generic' }), made: 2 }, 'tries_used_up'],
    ['once its days are over', { until: new Date(NOW.getTime() + 2 * DAY_MS) }, 'days_over'],
    ['once its card has expired', { card_ends: new Date(NOW.getTime() + 2 * DAY_MS) }, 'card_expired'],
  ])('%s', (_, more, reason) => {
    expect(said(more)).toBe(reason);
  });
});

test('over 100,000 random declines: never before the advice, never after the days or the card, never one more than the policy allows', () => {
  const random = seeded(20_261_126);
  const one = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  const zones = ['UTC', 'Asia/Tokyo', 'America/Chicago', 'Europe/Paris', 'Pacific/Pago_Pago'] as const;
  for (let n = 0; n < 100_000; n++) {
    const now = new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 730 * DAY_MS));
    const given = after({
      now,
      until: new Date(now.getTime() + Math.floor(random() * 30 * DAY_MS)),
      following: {
        class: one(CLASSES),
        wait_s: random() < 0.3 ? Math.floor(random() * 864_000) : null,
        schedule: one(['funds', 'technical', 'generic', null]),
      },
      made: Math.floor(random() * 6),
      draw: random(),
      zone: one(zones),
      card_ends: random() < 0.3 ? new Date(now.getTime() + Math.floor(random() * 60 * DAY_MS)) : null,
    });
    const next = nextTry(given);
    if ('ended' in next) continue;
    const { following, made, until, card_ends } = given;
    const waited = next.due.getTime() - now.getTime();
    const wrong =
      ['stop', 'with_3ds', 'fix_input', 'payer', 'none'].includes(following.class) ||
      made >= 4 ||
      next.due > until ||
      (card_ends !== null && next.due >= card_ends) ||
      waited < (following.wait_s ?? 3600) * 1000;
    if (wrong) expect.unreachable(JSON.stringify({ given, next }));
  }
});
