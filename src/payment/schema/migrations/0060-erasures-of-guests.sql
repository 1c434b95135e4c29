-- A guest is erased by their e-mail: orders and checkouts of theirs name no customer. The version
-- before knows of customers alone, and leaves a guest's to a worker of this one.

ALTER TABLE payment.erasures
  ADD COLUMN email text,
  DROP CONSTRAINT erasures_forgets_whom,
  ADD CONSTRAINT erasures_forgets_whom CHECK (
    (state = 'done') = (customer_id IS NULL AND email IS NULL)
    AND (customer_id IS NULL OR email IS NULL)
  );
GRANT UPDATE (email) ON payment.erasures TO payment_app;
