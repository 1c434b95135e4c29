-- Ids of notifications tell apart what one moment brought: the function with the old argument goes.
DROP FUNCTION IF EXISTS payment.new_id(timestamptz);
