// An authentication that is to begin with its attempt.
import type { Demand } from '../../../provider/three-ds/contract.ts';
import type { Tools } from '../../tools.ts';

export function newAuthentication(tools: Tools, demand: Demand) {
  return {
    id: tools.chance.id(),
    demand,
    handle: tools.chance.bytes(32).toString('hex'),
    partner: tools.authenticator?.name ?? '',
  } as const;
}
