-- Refuses the change that a trigger stands for; the argument of the trigger names it. Called by
-- triggers that keep rows as they are.
CREATE OR REPLACE FUNCTION payment.refuse()
RETURNS trigger
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RAISE EXCEPTION '% refused on %.%', TG_ARGV[0], TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = '23514';
END
$$;
