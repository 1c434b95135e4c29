-- Declined payments without a payer are tried again later, where the merchant wants it.
\ir ../tables/retries.sql
