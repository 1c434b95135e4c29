-- Removal of saved cards (vault.md 9). A recurring card with a time in delete_after is removed: no new order may use it, and it
-- is kept only for one under way. The index answers whether another token of the same card is left.
CREATE INDEX recurring_by_card ON vault.cards (merchant_account_id, card_unique_id) WHERE kind = 'recurring';
-- who may frame the hosted fields of an account (contract 1.3, 12.2), pushed by the money zone with its keys
ALTER TABLE vault.api_keys ADD COLUMN registered_origins text[] NOT NULL DEFAULT '{}';
GRANT UPDATE (registered_origins) ON vault.api_keys TO vault_app;
GRANT DELETE ON vault.fingerprints TO vault_app;
