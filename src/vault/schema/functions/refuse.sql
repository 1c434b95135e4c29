-- Refuses a change of rows that are only ever added. Called by the trigger keep of the audit.
CREATE OR REPLACE FUNCTION vault.refuse()
RETURNS trigger
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RAISE EXCEPTION 'append only: %', TG_TABLE_NAME USING ERRCODE = '23514';
END
$$;
