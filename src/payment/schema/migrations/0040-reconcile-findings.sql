-- What florin reconcile finds is kept until the books agree, or a person has said what it is.
\ir ../tables/reconcile_findings.sql
