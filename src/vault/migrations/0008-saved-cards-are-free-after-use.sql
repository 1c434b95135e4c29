-- A saved card is bound to the checkout it was typed for until a payment has left with it: spent_order_id is the first order that
-- sent it, spent_at the last time that a first payment, or the first one since its cvc was entered again, was sent.
ALTER TABLE vault.cards ADD COLUMN cvc_entered_at timestamptz;
GRANT UPDATE (cvc_entered_at) ON vault.cards TO vault_app;
-- of cards saved before, nobody wrote down whether they were paid with: they were bound for ever, and are free now
UPDATE vault.cards SET spent_at = vault.now() WHERE kind = 'recurring' AND checkout_id IS NOT NULL AND spent_at IS NULL;
