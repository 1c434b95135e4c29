-- An id of 24 hexadecimal digits, as bytes.
CREATE DOMAIN payment.id24 AS bytea
  CONSTRAINT id24_is_12_bytes CHECK (octet_length(VALUE) = 12);

-- What is to be found of an order: a row that search_facts gives and put_search_facts takes.
CREATE TYPE payment.search_fact AS (
  merchant_account_id bytea,
  order_id bytea,
  status text,
  code text,
  currency text,
  provider text,
  payment_method_name text,
  operation_type text,
  is_suspicious boolean,
  digits smallint,
  last4 smallint,
  amount_minor bigint,
  customer bigint,
  email bigint
);
