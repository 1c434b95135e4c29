-- Tables of what card schemes limit that are newer than the one a release brings: every one that was
-- ever loaded; the latest holds (docs/decisions/0126). Facts of schemes, of no account.
CREATE TABLE payment.scheme_caps (
  version int PRIMARY KEY CONSTRAINT scheme_caps_version_is_positive CHECK (version > 0),
  -- the day on which its sources were looked at
  as_of date NOT NULL,
  rows json NOT NULL,
  by_name text NOT NULL
    CONSTRAINT scheme_caps_by_name_has_a_length CHECK (length(by_name) BETWEEN 1 AND 254),
  note text NOT NULL,
  at timestamptz NOT NULL DEFAULT payment.now()
);

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.scheme_caps
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

GRANT SELECT, INSERT ON payment.scheme_caps TO payment_app;
