-- An order that was routed reads what its note means from its version: three small columns, in place of
-- a table of up to 100 rules that is taken apart for each read.
ALTER TABLE payment.route_versions
  ADD COLUMN rule_names jsonb NOT NULL
    GENERATED ALWAYS AS (jsonb_path_query_array(rules::jsonb, '$.rules[*].name')) STORED,
  ADD COLUMN contracts json GENERATED ALWAYS AS (rules -> 'contracts') STORED,
  ADD COLUMN cascade smallint GENERATED ALWAYS AS ((rules ->> 'cascade')::smallint) STORED;
