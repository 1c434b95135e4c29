-- Fees of contracts, for rules that choose by what is left after them.
\ir ../tables/contract_fees.sql
