// POST /notification/endpoint/{id}/test: one notification of the event `test`, sent while the caller waits, once,
// outside of the queue. It says nothing about the health of the endpoint.
import { result } from '../../../core/results.ts';
import type { Answer } from '../../../kit/http/route.ts';
import type { Tools } from '../../tools.ts';
import { bodyOf } from '../body.ts';
import { post } from '../dispatcher.ts';
import { type WriteRequest, once } from '../../merchant/once.ts';
import { verdictOf } from '../schedule.ts';
import { openSecret } from '../secret.ts';
import { getEndpoint, idOf } from './manage.ts';
import { type EndpointRow, type FoundTest, countTest, endTest, findTest, insertTest } from './store.ts';

type Prepared = { readonly endpoint: EndpointRow; readonly body: string };

export function tryEndpoint(tools: Tools, request: WriteRequest<unknown, Prepared>): Promise<Answer> {
  const endpoint_id = idOf(request);
  const { merchant_account_id } = request.caller;
  const id = tools.chance.id();
  return once<Prepared>(tools, request, {
    object_id: id,
    work: async (tx) => {
      const endpoint = await getEndpoint(tx, endpoint_id);
      const number = await countTest(tx, endpoint_id);
      const body = bodyOf(
        {
          event: 'test',
          merchant_account_id,
          order_id: null,
          sequence: number,
          previous_sequence: number === 1 ? null : number - 1,
          facts: {
            at: tools.clock.now().toISOString().slice(0, 19),
            code: null,
            order_version: null,
            told: null,
            more: null,
            request_id: request.request_id,
          },
        },
        tools,
      );
      await insertTest(tx, { id, endpoint_id, number, body });
      return { endpoint, body };
    },
    answer: (prepared) => send(tools, { ...prepared, id, merchant_account_id }),
    again: async (same) => {
      const done = await untilEnded(tools, merchant_account_id, same);
      return answerOf(done?.state === 'delivered', done?.last_status ?? null, done?.duration_ms ?? 0);
    },
  });
}

/** Between two looks at a test that another request, perhaps of another process, is waiting for. */
const LOOK_AGAIN_MS = 100;
/** A try may be so much longer than its deadline: it is prepared before, and written down behind. */
const AROUND_IT_S = 3;

/** A repeat of the same request waits together with the first one (contract 2.9), unless that one died. */
async function untilEnded(tools: Tools, merchant_account_id: string, id: string): Promise<FoundTest | undefined> {
  const db = tools.db.tenant(merchant_account_id);
  const longest_s = tools.outside.deadline_ms / 1000 + AROUND_IT_S;
  for (;;) {
    const found = await findTest(db, id, longest_s);
    if (!found?.under_way || tools.running.ending) return found;
    await tools.clock.sleep(LOOK_AGAIN_MS);
  }
}

type Sending = Prepared & { readonly id: string; readonly merchant_account_id: string };

async function send(tools: Tools, { id, merchant_account_id, endpoint, body }: Sending): Promise<Answer> {
  const whose = { merchant_account_id, endpoint_id: endpoint.id };
  const sealed = [endpoint.secret_sealed, endpoint.old_secret_sealed].filter((one) => one !== null);
  const secrets = sealed.map((one) => openSecret(tools, whose, one));
  const since = tools.clock.ticks();
  const exchange = await post(tools, { ...whose, id, order_id: null, url: endpoint.url, secrets, body });
  const verdict = verdictOf(exchange, tools.outside.clock.now());
  const delivered = verdict.kind === 'delivered';
  const duration_ms = Math.round(tools.clock.ticks() - since);
  const error = verdict.kind === 'failed' ? verdict.error : null;
  await endTest(tools.db.tenant(merchant_account_id), { id, delivered, status: verdict.status, error, duration_ms });
  return answerOf(delivered, verdict.status, duration_ms);
}

function answerOf(delivered: boolean, http_status: number | null, duration_ms: number): Answer {
  return { body: { result: result('request_completed'), delivered, http_status, duration_ms } };
}
