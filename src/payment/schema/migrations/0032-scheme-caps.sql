-- Limits of card schemes that are newer than the release.
\ir ../tables/scheme_caps.sql
