// What the sign-in and the overview say, and what the server's own words are: loaded with the app.
import type { Catalogue } from '../base/languages.ts';
import { CODES } from './codes.ts';
import { FRAME } from './frame.ts';
import { OVERVIEW } from './overview.ts';
import { RESULTS } from './results.ts';
import { STATES } from './states.ts';

export const FIRST: Catalogue = { ...CODES, ...FRAME, ...OVERVIEW, ...RESULTS, ...STATES };
