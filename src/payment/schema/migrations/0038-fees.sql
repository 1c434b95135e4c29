-- What providers took, as their settlement reports say it, for reports of orders; and fees that depend on where a card
-- was issued and on its kind.
\ir ../tables/settled_fees.sql

ALTER TABLE payment.contract_fees
  -- ISO 3166: where the acquirer is; NULL: not told
  ADD COLUMN acquirer_country text
    CONSTRAINT contract_fees_acquirer_country_is_a_code CHECK (acquirer_country ~ '^[A-Z]{2}$');

ALTER TABLE payment.route_counts
  -- tried and amount_minor by country and kind of the card, where fees depend on them
  ADD COLUMN mix json;
