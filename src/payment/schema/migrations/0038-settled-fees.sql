-- What providers took, as their settlement reports say it, for reports of orders.
\ir ../tables/settled_fees.sql
