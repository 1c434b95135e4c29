-- Months of observations that florin archive took off.
\ir ../tables/archives.sql
