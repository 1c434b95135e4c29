// The icons of the app, drawn on 24 units (shapes after Lucide and Tabler, MIT): a name and its strokes.
const PATHS = {
  overview: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  orders: 'M5 4h14v17l-3-2-2 2-2-2-2 2-2-2-3 2zM9 9h6M9 13h6',
  doubt: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9.5 9.5a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.8-.9 1.7M12 16.8v.1',
  customers:
    'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M2.5 21c0-4 3-6.5 6.5-6.5s6.5 2.5 6.5 6.5M16 3.5a4 4 0 0 1 0 7.5M18.5 14.8c1.9.9 3 3.1 3 6.2',
  link: 'M10 14a4.5 4.5 0 0 0 6.4 0l3-3a4.5 4.5 0 0 0-6.4-6.4l-1 1M14 10a4.5 4.5 0 0 0-6.4 0l-3 3a4.5 4.5 0 0 0 6.4 6.4l1-1',
  providers: 'M12 3 3 8v2h18V8zM5 10v8M10 10v8M14 10v8M19 10v8M3 21h18M3 18h18',
  rules: 'M12 3l8 3v6c0 4.5-3.3 7.9-8 9-4.7-1.1-8-4.5-8-9V6zM9 12l2 2 4-4',
  bell: 'M6 9a6 6 0 1 1 12 0c0 5 2 7 2 7H4s2-2 2-7M10 20a2.2 2.2 0 0 0 4 0',
  key: 'M14.5 9.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0M13.5 13 20 19.5M17 16.5l2-2',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  team: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M5 21c0-4 3-6 7-6s7 2 7 6',
  audit: 'M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6',
  sandbox: 'M9 3h6M10 3v6l-5 9.5A1.7 1.7 0 0 0 6.5 21h11a1.7 1.7 0 0 0 1.5-2.5L14 9V3M7.5 15h9',
  experiments: 'M4 12h5l6-6h5M9 12l6 6h5M17 3l3 3-3 3M17 15l3 3-3 3',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M20 20l-4.8-4.8',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 4 2.5 20h19zM12 10v4.5M12 17.3v.1',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v5.5M12 7.7v.1',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11M7.5 11 12 15.5 16.5 11M4 20h16',
  refresh: 'M20 11a8 8 0 0 0-14.5-3.5L4 9M4 4v5h5M4 13a8 8 0 0 0 14.5 3.5L20 15M20 20v-5h-5',
  more: 'M5 12h.1M12 12h.1M19 12h.1',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  updown: 'M8 9l4-4 4 4M8 15l4 4 4-4',
  grip: 'M9 6h.1M15 6h.1M9 12h.1M15 12h.1M9 18h.1M15 18h.1',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5',
  leave: 'M14 4H6v16h8M10 12h11M17.5 8.5 21 12l-3.5 3.5',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5.2l3.3 2',
  card: 'M3 6h18v12.5H3zM3 10.5h18M7 15h3',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  back: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  columns: 'M4 5h16v14H4zM10 5v14M15 5v14',
  trash: 'M4 7h16M10 4h4M6.5 7l1 13.5h9l1-13.5M10 11v6M14 11v6',
  send: 'M21 3 10 14M21 3l-6.5 18-4.5-7-7-4.5z',
  lock: 'M6 11h12v9.5H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  edit: 'M4 20h4L19.5 8.5l-4-4L4 16zM13.5 6.5l4 4',
  route:
    'M6 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M18 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M8.5 17.5H15a3.5 3.5 0 0 0 0-7H9a3.5 3.5 0 0 1 0-7h6.5',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  bookmark: 'M6.5 4h11v16.5L12 16.5l-5.5 4z',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  play: 'M7 4.5v15l12-7.5z',
} as const;

export type IconName = keyof typeof PATHS;

/** The icon has no text for screen readers: the words stand beside it or on its button. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  const dots = name === 'more' || name === 'grip';
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={dots ? 2.6 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** A florin: the letter on a coin. */
export function Coin({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" aria-hidden="true" fill="none">
      <circle cx="13" cy="13" r="13" fill="#0b5d57" />
      <path
        d="M17.6 7.2c-2.9-1.4-4.6.1-5.1 3l-1.3 7c-.4 2.4-1.7 3.2-3.8 2.4M9 12.2h7.2"
        stroke="#fff"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}
