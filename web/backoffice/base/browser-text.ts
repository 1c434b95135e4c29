// Finds browser and system in a user agent. The first rule that matches decides, because many browsers also name
// others. Versions are left out: browsers no longer give the true version of their system.

type Rule = readonly [pattern: RegExp, name: string];

const BROWSERS: readonly Rule[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPX|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/ Safari\//, 'Safari'],
];

const SYSTEMS: readonly Rule[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (rules: readonly Rule[], line: string) => rules.find(([pattern]) => pattern.test(line))?.[1];

/** `Firefox, Windows`: the names that are known of the two. */
export function browserText(user_agent: string): string | undefined {
  const known = [nameIn(BROWSERS, user_agent), nameIn(SYSTEMS, user_agent)].filter((name) => name !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}
