-- Writes a notification for every endpoint that wants an event, with what is to be told as it
-- stands in this commit. Called by the trigger fan_out of events.
CREATE OR REPLACE FUNCTION payment.fan_out()
RETURNS trigger
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  told json;
  number int;
  -- among the events of its subject that one commit wrote
  place int;
  of_order boolean := NEW.type NOT LIKE '%.%'
    OR NEW.type LIKE 'dispute.%'
    OR NEW.type LIKE 'order.%';
BEGIN
  IF NOT EXISTS (
    SELECT 1
    FROM payment.endpoints n
    WHERE n.merchant_account_id = NEW.merchant_account_id
      AND n.state = 'on'
      AND NEW.type = ANY (n.events)
  ) THEN
    RETURN NULL;
  END IF;
  SELECT count(*), count(*) FILTER (WHERE x.at = NEW.at) INTO number, place
  FROM payment.events x
  WHERE x.subject_id = NEW.subject_id
    AND x.seq <= NEW.seq
    AND NOT x.silent;
  IF of_order THEN
    told := payment.order_facts(NEW);
  ELSIF NEW.type = 'checkout.expired' THEN
    SELECT json_build_object(
      'checkout_id', encode(c.id, 'hex'),
      'link', payment.link_of_checkout(c.id, c.merchant_account_id),
      'order_merchant_id', c.body ->> 'order_merchant_id',
      'amount_minor', c.amount_minor,
      'currency', c.currency
    ) INTO told
    FROM payment.checkouts c
    WHERE c.id = NEW.subject_id
      AND c.merchant_account_id = NEW.merchant_account_id;
  END IF;
  INSERT INTO payment.notifications (
    id, merchant_account_id, endpoint_id, subject_id,
    order_id, event, sequence,
    previous_sequence,
    facts,
    created_at, next_at, due_at
  )
  SELECT
    payment.new_id(NEW.at, place), NEW.merchant_account_id, n.id, NEW.subject_id,
    CASE WHEN of_order THEN NEW.subject_id END, NEW.type, number,
    (
      SELECT max(b.sequence)
      FROM payment.notifications b
      WHERE b.endpoint_id = n.id
        AND b.subject_id = NEW.subject_id
        AND b.sequence < number
    ),
    json_build_object(
      'at', to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
      'code', NEW.code,
      'request_id', encode(NEW.request_id, 'hex'),
      'order_version', NEW.order_version,
      'told', told,
      'more', NEW.payload
    ),
    NEW.at, NEW.at, NEW.at
  FROM payment.endpoints n
  WHERE n.merchant_account_id = NEW.merchant_account_id
    AND n.state = 'on'
    AND NEW.type = ANY (n.events);
  RETURN NULL;
END
$$;
