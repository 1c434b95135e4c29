-- That a payer's visit to a provider came to nothing is written down, whatever else was paid
-- (docs/decisions/0157).
\ir ../functions/refuse_overtaken.sql
