-- What a provider answered is kept with its observation, as text (docs/decisions/0047). Left out where it is the text that this
-- operation's observation before has: a provider that is asked again and again says the same. answer_hash is of that text.
ALTER TABLE payment.observations ADD answer text;
ALTER TABLE payment.operations ADD answer_hash bytea;
-- every row there is has none: they need not be read while payments wait
ALTER TABLE payment.observations ADD CONSTRAINT observations_answer_check CHECK (length(answer) <= 2100) NOT VALID;
ALTER TABLE payment.operations ADD CONSTRAINT operations_answer_hash_check CHECK (octet_length(answer_hash) = 32) NOT VALID;
GRANT UPDATE (answer_hash) ON payment.operations TO payment_app;
