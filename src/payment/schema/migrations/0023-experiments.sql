-- Versions of routing rules compared on live orders.
\ir ../tables/experiments.sql
\ir ../tables/experiment_counts.sql
