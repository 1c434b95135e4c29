-- An id of 24 hexadecimal digits, as bytes.
CREATE DOMAIN vault.id24 AS bytea
  CONSTRAINT id24_is_12_bytes CHECK (octet_length(VALUE) = 12);
