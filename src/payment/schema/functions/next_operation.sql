-- When an operation has something to do next, for a sandbox's clock that is moved ahead. An inquiry
-- about what the provider has pending, or about what waits for a person, may be late by so large a
-- share of the operation's age: inquiries of many operations then fall on one moment, and a month
-- of them on few. What the provider does meanwhile happens in its own time all the same.
CREATE OR REPLACE FUNCTION payment.next_operation(patience double precision)
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT least(
    (SELECT min(o.due_at)
      FROM operations o
      WHERE o.due_at > '-infinity'
        AND o.state IN ('requested','in_doubt')
        AND o.waits_for <> 'provider'
        AND o.provider <> ALL (ARRAY(SELECT name FROM providers WHERE health = 'open'))),
    (SELECT min(o.due_at + (o.due_at - o.created_at) * patience)
      FROM operations o
      WHERE o.due_at > '-infinity'
        AND o.state IN ('requested','in_doubt','review')
        AND (o.waits_for = 'provider' OR o.state = 'review')
        AND o.provider <> ALL (ARRAY(SELECT name FROM providers WHERE health = 'open'))))
$$;

ALTER FUNCTION payment.next_operation(double precision) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_operation(double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_operation(double precision) TO payment_app;
