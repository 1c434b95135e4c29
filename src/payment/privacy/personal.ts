// Which members of an order or checkout are about a person, and what is kept of one who is erased, with the reason.

/**
 * A pattern that PostgreSQL and JavaScript read alike: all members about the customer, their browser and their
 * addresses, but not about the goods. Items of merchant_data that the merchant marked as personal are erased, too
 * (payment/schema/functions/without_members.sql).
 */
export const PERSONAL =
  '^(customer_|is_customer_|shipping_(address_|first_name|last_name|email|phone|id$)|subscription_id$)';

/** The data that stays, in words for the person who asks and for the one who answers. */
export const STAYS: readonly { readonly what: string; readonly why: string }[] = [
  {
    what: 'Orders with their references, amounts, status, dates, result codes, first six and last four digits of the card',
    why: 'Books must be kept: tax and commercial law, for up to ten years.',
  },
  { what: 'The ledger', why: 'It is never changed; it holds amounts and ids, and no person.' },
  {
    what: "Providers' answers and messages, as they came",
    why: 'They prove what became of the money, in disputes too. Long runs of digits are masked; a name may stand in one.',
  },
  {
    what: 'Evidence of disputes, sealed',
    why: 'It is needed as long as a dispute can come up again: 18 months after its end it goes by itself.',
  },
  {
    what: 'Block and allow lists: keyed hashes, a hint of each value, and the note of who put it there',
    why: 'They keep fraud away. An entry goes with its day, or when a person here takes it off.',
  },
  {
    what: 'Reasons that people here typed for what they did: refunds, rulings, findings, answers to disputes',
    why: 'They prove who moved money, and why; a name may stand in one.',
  },
  {
    what: 'The audit log, which may name the customer_id of a card that a person here removed, and in records of earlier versions what a file of orders was searched by',
    why: 'It proves who did what, and cannot be changed.',
  },
  {
    what: 'Saved views of the list of orders that search by a name',
    why: "A name is other people's too. Who made such a view removes it.",
  },
  {
    what: 'A card, sealed at the vault, whose recurring token the shop keeps itself, where somebody else or a subscription is paid with it, or no order was',
    why: 'They still need it; and without an order nothing but the token leads to it: whose it is, nobody here knows.',
  },
  {
    what: 'Words that the search finds orders by, where more than a hundred orders that stay have the same e-mail',
    why: "They may be the others' own. They go with an erasure after which a hundred or fewer are left.",
  },
  { what: 'Reports that were made, sealed', why: 'They go by themselves after 30 days.' },
  {
    what: 'Keyed hashes that limits of payments are counted by',
    why: 'They do not show who the person is; they go with the time that the rules count.',
  },
  { what: 'Backups', why: 'They go with their own time; what is restored from one must be erased again.' },
];
