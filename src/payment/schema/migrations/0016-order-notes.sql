-- What people write about an order, for each other.
\ir ../tables/order_notes.sql
