-- Makes a part of a parted table, from one key to below another, and brings into it what waits for
-- it in the default part, where the table has one. Nothing where the part is there. Payments wait
-- for it a second at the most; else it is done at the next time. Called by those that keep parts.
CREATE OR REPLACE FUNCTION payment.make_part(whole text, part text, low text, high text)
RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = payment, pg_temp SET lock_timeout = '1s'
AS $$
DECLARE
  others text := whole || '_default';
  keeps boolean := EXISTS (
    SELECT FROM pg_trigger t WHERE t.tgrelid = whole::regclass AND t.tgname = 'keep'
  );
  key text;
  moved bigint;
  is_left boolean;
  ranges regclass;
BEGIN
  IF to_regclass(part) IS NOT NULL THEN
    RETURN;
  END IF;
  EXECUTE format(
    'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', part,
    whole);
  IF to_regclass(others) IS NOT NULL THEN
    SELECT a.attname INTO key
    FROM pg_partitioned_table p
    JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
    WHERE p.partrelid = whole::regclass;
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', others);
    EXECUTE format(
      'INSERT INTO %1$I SELECT * FROM %2$I WHERE %3$I >= %4$L AND %3$I < %5$L', part, others, key,
      low, high);
    GET DIAGNOSTICS moved = ROW_COUNT;
    IF moved > 0 THEN
      EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', others);
      EXECUTE format(
        'DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L', others, key, low, high);
      EXECUTE format('SELECT EXISTS (SELECT FROM %I)', others) INTO is_left;
      IF NOT is_left THEN
        -- its size says that nothing waits there (queue_figures)
        EXECUTE format('TRUNCATE %I', others);
      END IF;
      EXECUTE format('ALTER TABLE %I ENABLE TRIGGER USER', others);
    END IF;
  END IF;
  -- a part can be read only through the table it is part of
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', part);
  EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', part);
  IF keeps THEN
    EXECUTE format(
      'CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT
       EXECUTE FUNCTION payment.refuse(%L)', part, 'change');
  END IF;
  EXECUTE format(
    'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', whole, part, low, high);
  -- until a range of pages is summed up every look reads all of it, and a vacuum may be days away.
  -- The index of the whole cannot be given this for its parts any more
  FOR ranges IN
    SELECT i.indexrelid
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_am m ON m.oid = c.relam
    WHERE i.indrelid = part::regclass
      AND m.amname = 'brin'
  LOOP
    EXECUTE format('ALTER INDEX %s SET (autosummarize = on)', ranges);
  END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION payment.make_part(text, text, text, text) FROM PUBLIC;
