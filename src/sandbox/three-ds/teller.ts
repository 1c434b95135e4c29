// The bank's message to the server that asked (RReq), over the signed messages of the simulated provider
// (later/messages.ts):
//
//   { "event_ref": "evt_three_ds_{threeDSServerTransID}",   the same for every try and repeat
//     "type": "three_ds.result", "merchant_account_id": "…", "order_id": "…", "operation_id": "…", "rreq": {…} }
//
// It is sent before the browser goes back, unless a fault makes the bank late or silent (contract 15.4).
import type { Messenger } from '../later/messages.ts';
import type { Authentication } from './authentication.ts';
import { rreqOf } from './messages.ts';

export type TellerOptions = {
  readonly messenger: Messenger;
  /** True if no messages are sent at all. */
  is_quiet(): boolean;
};

export class Teller {
  private readonly told = new Map<string, Promise<void>>();
  private readonly options: TellerOptions;

  constructor(options: TellerOptions) {
    this.options = options;
  }

  /**
   * Resolves when the message was accepted, or when its first try is over. This process sends it once, or twice if
   * the fault says so; a later call waits for the first. After a restart it may be sent again, under the same
   * reference.
   */
  tell(authentication: Authentication): Promise<void> {
    const { id, ended, twist } = authentication;
    if (ended === null || twist.fault === 'callback_never' || this.options.is_quiet()) return Promise.resolve();
    const before = this.told.get(id);
    if (before !== undefined) return before;
    const body = bodyOf(authentication);
    const told = this.options.messenger.tell(body);
    this.told.set(id, told);
    if (twist.fault === 'callback_twice') void this.options.messenger.tell(body);
    return told;
  }

  clear(): void {
    this.told.clear();
  }
}

function bodyOf(authentication: Authentication): string {
  const { id, merchant_account_id, order_id, operation_id } = authentication;
  const event = { event_ref: `evt_three_ds_${id}`, type: 'three_ds.result' };
  return JSON.stringify({ ...event, merchant_account_id, order_id, operation_id, rreq: rreqOf(authentication) });
}
