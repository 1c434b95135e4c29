-- Numbers a record of the audit without a gap and hashes it over the one before
-- (vault/audit/audit.ts checks it). Called by the trigger chain of the audit.
CREATE OR REPLACE FUNCTION vault.chain()
RETURNS trigger
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  last vault.audit;
BEGIN
  PERFORM pg_advisory_xact_lock(714020);
  SELECT * INTO last
  FROM vault.audit
  ORDER BY id DESC
  LIMIT 1;
  NEW.id := coalesce(last.id, 0) + 1;
  NEW.at := date_trunc('milliseconds', vault.now());
  NEW.hash := sha256(coalesce(last.hash, '\x') || convert_to(
    jsonb_build_array(
      NEW.id,
      extract(epoch FROM NEW.at)::numeric(20,3)::text,
      NEW.actor, NEW.action, NEW.object, NEW.result, NEW.source, NEW.detail
    )::text,
    'UTF8'
  ));
  RETURN NEW;
END
$$;
