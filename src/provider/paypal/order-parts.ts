// Where the parts of an order stand in it: our orders have one purchase unit.
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { at } from '../answer.ts';

/** Ours have one. */
export function unitOf(said: JsonObject): JsonValue | undefined {
  const units = at(said, 'purchase_units');
  return Array.isArray(units) && units.length === 1 ? units[0] : undefined;
}

export function partsOf(said: JsonObject, name: 'authorizations' | 'captures' | 'refunds'): readonly JsonValue[] {
  const parts = at(unitOf(said), 'payments', name);
  return Array.isArray(parts) ? parts : [];
}
