-- What left for a provider, committed before a byte leaves: "did this authorization go out?" has an
-- answer after any crash.
CREATE TABLE vault.forwards (
  operation_id vault.id24 PRIMARY KEY,
  merchant_account_id vault.id24,
  order_id vault.id24,
  destination text,
  digest bytea CONSTRAINT forwards_digest_is_16_bytes CHECK (octet_length(digest) = 16),
  policy text NOT NULL
    CONSTRAINT forwards_policy_is_known CHECK (policy IN ('once', 'repeat', 'tombstone')),
  state text NOT NULL
    CONSTRAINT forwards_state_is_known CHECK (state IN (
      'sending', 'answered', 'not_sent', 'tombstone'
    )),
  sends int NOT NULL DEFAULT 1,
  sent_at timestamptz NOT NULL DEFAULT vault.now(),
  http_status smallint,
  answer_sealed bytea,

  CONSTRAINT forwards_tombstone_is_policy_and_state CHECK (
    (policy = 'tombstone') = (state = 'tombstone')
  )
) WITH (fillfactor = 70);

CREATE INDEX forwards_age ON vault.forwards USING brin (sent_at);

-- sealed values carry the id of their key in bytes 2 to 9
CREATE INDEX answers_by_key ON vault.forwards (substring(answer_sealed FROM 2 FOR 8))
  WHERE answer_sealed IS NOT NULL;

GRANT SELECT, INSERT ON vault.forwards TO vault_app;
GRANT UPDATE (state, sends, sent_at, http_status, answer_sealed) ON vault.forwards TO vault_app;
