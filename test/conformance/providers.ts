// The providers that the stories run over: one line each. That none of the registry is left out is a test of its own.
import { adyen } from './at/adyen.ts';
import type { At } from './at/contract.ts';
import { iso8583 } from './at/iso8583.ts';
import { paypal } from './at/paypal.ts';
import { simulator, simulator_b } from './at/simulator.ts';
import { stripe } from './at/stripe.ts';

export const PROVIDERS: readonly At[] = [simulator, simulator_b, stripe, adyen, paypal, iso8583];
