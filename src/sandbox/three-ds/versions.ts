/** The versions of EMV 3-D Secure that the simulated directory and bank support (docs/decisions/0068). */
export const VERSIONS = ['2.2.0', '2.3.1'] as const;
export type Version = (typeof VERSIONS)[number];
