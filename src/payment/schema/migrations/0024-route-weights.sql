-- What best_of rules have learnt, and the outcomes that they learn from.
\ir ../tables/route_weights.sql
\ir ../tables/route_counts.sql
