// Rates as a terminal shows them.
const percent = new Intl.NumberFormat('en-GB', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export const rateText = (rate: number): string => percent.format(rate).replace('%', ' %');
