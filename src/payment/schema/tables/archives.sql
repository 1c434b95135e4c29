-- Months that were taken off a table and written to a file (florin archive). While one is only taken
-- off its rows stand in the table archive_ID.
CREATE TABLE payment.archives (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- what the part was called
  part text NOT NULL,
  -- the ids it held: from the first to below the second
  low payment.id24 NOT NULL,
  high payment.id24 NOT NULL,
  state text NOT NULL DEFAULT 'taken_off'
    CONSTRAINT archives_state_is_known CHECK (state IN ('taken_off', 'dropped', 'back')),
  -- known when it is dropped: the file without its folder, what it holds, and its SHA-256
  file text CONSTRAINT archives_file_once UNIQUE,
  row_count bigint,
  sha256 bytea,
  taken_off_at timestamptz NOT NULL DEFAULT payment.now(),
  dropped_at timestamptz,
  back_at timestamptz,

  CONSTRAINT archives_low_below_high CHECK (low < high),
  CONSTRAINT archives_dropped_with_file CHECK (
    (state = 'taken_off') = (num_nonnulls(file, row_count, sha256, dropped_at) = 0)
    AND (state = 'taken_off' OR num_nulls(file, row_count, sha256, dropped_at) = 0)
  )
);

GRANT SELECT ON payment.archives TO payment_app;
