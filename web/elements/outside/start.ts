// The script on the merchant's page: it adds one class to the page, under the brand's name. A text as argument starts
// the old generation, an object starts the new one (contract 12.1).
import { PageInputs } from '../old/page-inputs.ts';
import { browserData } from './browser-data.ts';
import { BRAND, warn } from './build.ts';
import { type Outcome, readConfig } from './config.ts';
import { PaymentElement, compareEnvironment } from './element.ts';

/** A symbol, so that JSON, or a framework that reads the instance, sees only texts. */
const PART: unique symbol = Symbol('element');
/** The configuration texts that the instance shows, as they were given. */
const SHOWN = ['publicapikey', 'locale', 'environment', 'tokentype', 'checkoutId'];
const FLAGS = ['displayButtons', 'displayCardHolder', 'displaySave'];

let shown: { close(): void } | undefined;

class Element {
  /** Set after success: the token, the scheme's name and the kind of token. */
  declare token?: string;
  declare paymentMethodName?: string;
  declare tokenType?: string;
  declare publicapikey?: string;
  declare readonly [PART]: PaymentElement | PageInputs;

  constructor(given: unknown) {
    shown?.close();
    shown = undefined;
    const part = typeof given === 'string' ? this.old(given) : this.new(given);
    Object.defineProperty(this, PART, { value: part });
    shown = part;
  }

  /** Does what the pay button does, for pages with their own button. It never rejects. */
  async submit(): Promise<Outcome | undefined> {
    const part = this[PART];
    if (part !== shown) warn('this form was replaced');
    else if (part instanceof PaymentElement) return part.submit();
    else await part.submit();
    return undefined;
  }

  /**
   * For a page whose payment was declined: typed values stay, the security code is emptied, and the payer may press
   * again.
   */
  again(): void {
    const part = this[PART];
    if (part instanceof PaymentElement) part.again();
  }

  /** Data about the payer's browser, as fields of a checkout or order: customer_browser_info_*. */
  static browserData = browserData;

  private old(key: string): PageInputs {
    this.publicapikey = key;
    return new PageInputs(() => this.publicapikey ?? '');
  }

  private new(given: unknown): PaymentElement {
    const fields: Readonly<Record<string, unknown>> = typeof given === 'object' && given !== null ? { ...given } : {};
    const config = readConfig(fields);
    for (const name of SHOWN) if (typeof fields[name] === 'string') Object.assign(this, { [name]: fields[name] });
    for (const name of FLAGS) if (typeof fields[name] === 'boolean') Object.assign(this, { [name]: fields[name] });
    compareEnvironment(config.environment);
    return new PaymentElement(config, (outcome) => Object.assign(this, outcome));
  }
}

Object.defineProperty(Element, 'name', { value: BRAND });
Object.defineProperty(globalThis, BRAND, { value: Element, writable: true, configurable: true, enumerable: true });
