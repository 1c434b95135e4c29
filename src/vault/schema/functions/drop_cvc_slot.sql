-- Drops the files of a slot of cvcs, and of their keys. For the vault, when the slot is over.
CREATE OR REPLACE FUNCTION vault.drop_cvc_slot(slot int)
RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  EXECUTE format('TRUNCATE vault.cvcs_%1$s, vault.cvc_keys_%1$s', slot);
END
$$;
