-- Mails to people of the back office, and what a mail proves: whoever came by a link that was mailed,
-- and shown to nobody, reads that address.
\ir ../tables/mails.sql

ALTER TABLE payment.invitations ADD COLUMN mailed boolean NOT NULL DEFAULT false;
ALTER TABLE payment.people ADD COLUMN address_proved_at timestamptz;
GRANT UPDATE (address_proved_at) ON payment.people TO payment_app;

DROP FUNCTION IF EXISTS payment.invitation_of_link(bytea);
