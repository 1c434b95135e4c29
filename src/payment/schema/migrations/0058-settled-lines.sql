-- The lines of settlement files, so that what a later file settles once more is noticed.
\ir ../tables/settled_lines.sql
-- planned for the largest account, as the other tables that grow with orders
ALTER TABLE payment.settled_lines ALTER COLUMN merchant_account_id SET (n_distinct = 1);
