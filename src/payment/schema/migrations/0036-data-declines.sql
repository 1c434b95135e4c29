-- Visa counts declines for wrong data by merchant number: only they are in this index.
CREATE INDEX declines_of_wrong_data ON payment.declines (at)
  INCLUDE (merchant_account_id, acceptor)
  WHERE category = 3;

\ir ../functions/most_data_declines.sql
