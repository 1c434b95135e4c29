-- Links that are shared and opened by payers, each of whom gets a checkout of their own.
\ir ../tables/payment_links.sql

ALTER TABLE payment.checkouts ADD COLUMN link_id payment.id24;

-- what was opened from a link, newest first, and how much of it lately
CREATE INDEX checkouts_by_link ON payment.checkouts (link_id, id) WHERE link_id IS NOT NULL;
