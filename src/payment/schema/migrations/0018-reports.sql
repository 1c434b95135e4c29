-- Reports that are made by the worker, by hand or by a schedule, and kept for some days.
\ir ../tables/reports.sql
\ir ../tables/report_runs.sql
\ir ../tables/report_pieces.sql
