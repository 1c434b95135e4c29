-- Which history of the database is the right one after a failover.
\ir ../tables/epochs.sql
