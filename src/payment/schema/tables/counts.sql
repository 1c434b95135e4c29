-- What each process has counted within a minute, for limits that hold for all of them (http/counts.ts).
-- UNLOGGED: a minute of counts may be lost with the server. A name is a hash of what is counted.
CREATE UNLOGGED TABLE payment.counts (
  name bytea NOT NULL CONSTRAINT counts_name_is_16_bytes CHECK (octet_length(name) = 16),
  process payment.id24 NOT NULL,
  counted int NOT NULL,
  until timestamptz NOT NULL,

  PRIMARY KEY (name, process)
);

CREATE INDEX counts_until ON payment.counts (until);

GRANT SELECT, INSERT, UPDATE, DELETE ON payment.counts TO payment_app;
