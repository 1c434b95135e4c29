-- Mails to people of the back office: what waits to be sent, and what became of it. sealed: the letter,
-- which goes once it has been sent or given up. Times are those of the real clock, as all of people
-- are.
CREATE TABLE payment.mails (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  kind text NOT NULL CONSTRAINT mails_kind_is_known CHECK (kind IN ('invitation', 'report')),
  -- the invitation or the run of a report
  about_id payment.id24 NOT NULL,
  address text NOT NULL,
  sealed bytea NOT NULL,
  state text NOT NULL
    CONSTRAINT mails_state_is_known CHECK (
      state IN ('waiting', 'sent', 'refused', 'given_up', 'kept')
    ),
  tries int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- it says nothing of use any more from then on
  until timestamptz NOT NULL,
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),

  PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT mails_once UNIQUE (merchant_account_id, kind, about_id, address),
  CONSTRAINT mails_letter_goes CHECK (state IN ('waiting', 'kept') OR octet_length(sealed) = 0)
);

CREATE INDEX mails_due ON payment.mails (state, due_at);

CREATE INDEX mails_lately ON payment.mails (merchant_account_id, created_at);

CREATE INDEX mails_old ON payment.mails (created_at);

ALTER TABLE payment.mails ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.mails FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.mails TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.mails TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.mails TO payment_app;
GRANT UPDATE (state, sealed, due_at, note) ON payment.mails TO payment_app;
GRANT SELECT, DELETE ON payment.mails TO payment_queue;
GRANT UPDATE (tries, due_at) ON payment.mails TO payment_queue;
