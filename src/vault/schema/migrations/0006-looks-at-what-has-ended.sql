-- What is past its time is found without reading what is not (docs/decisions/0174). Rows are deleted
-- and their room is used again, but a range of a BRIN index never forgets the oldest that it had: in
-- the end every page was read for each look, twice a minute.
DROP INDEX vault.cards_to_delete;
CREATE INDEX cards_to_delete ON vault.cards (delete_after) WHERE delete_after IS NOT NULL;

DROP INDEX vault.idempotency_keys_age;
CREATE INDEX idempotency_keys_age ON vault.idempotency_keys (created_at);

DROP INDEX vault.wallet_payloads_to_delete;
CREATE INDEX wallet_payloads_to_delete ON vault.wallet_payloads (delete_after);

ALTER INDEX vault.forwards_age SET (autosummarize = on);
