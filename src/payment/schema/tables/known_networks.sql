-- Networks (an IPv4 address, an IPv6 /64) from which a person has signed in. Each has failures and
-- a lock of its own, so that whoever tries passwords from elsewhere locks out elsewhere only.
CREATE TABLE payment.known_networks (
  person_id payment.id24 NOT NULL REFERENCES payment.people,
  network text NOT NULL
    CONSTRAINT known_networks_network_has_a_length CHECK (length(network) BETWEEN 1 AND 64),
  failures int NOT NULL DEFAULT 0,
  locked_until timestamptz,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),

  PRIMARY KEY (person_id, network)
);

GRANT SELECT, INSERT, DELETE ON payment.known_networks TO payment_app;
GRANT UPDATE (failures, locked_until, seen_at) ON payment.known_networks TO payment_app;
