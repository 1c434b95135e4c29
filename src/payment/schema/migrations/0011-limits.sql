-- Limits hold for all processes together.
\ir ../tables/counts.sql
\ir ../tables/processes.sql
