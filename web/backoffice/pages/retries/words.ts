// What was the matter, and so when the next try is, as people say it.
const CAUSES: Readonly<Record<string, string>> = {
  advice: 'The card scheme said when',
  funds: 'Not enough money: some days later',
  technical: 'Trouble of the provider: in hours',
  generic: 'Declined without a reason: in days',
};

export const causeText = (cause: string | null): string => (cause === null ? '' : (CAUSES[cause] ?? cause));

export const triesText = (tries: number): string => (tries === 1 ? '1 try' : `${tries} tries`);
