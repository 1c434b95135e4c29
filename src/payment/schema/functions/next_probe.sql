-- When a provider that is down is probed next, looked for no closer than by the grain (a unit of
-- date_trunc): probes are seconds apart. For a sandbox's clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_probe(grain text)
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT date_trunc(grain, min(next_probe_at)) + ('1 ' || grain)::interval
  FROM providers
  WHERE health = 'open'
    AND next_probe_at > '-infinity'
$$;

ALTER FUNCTION payment.next_probe(text) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_probe(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_probe(text) TO payment_app;
