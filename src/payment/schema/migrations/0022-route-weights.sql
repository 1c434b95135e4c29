-- What best_of rules have learnt, and the outcomes that they learn from.
\ir ../tables/route_weights.sql
\ir ../tables/route_counts.sql

-- the few accounts that learn, which the worker asks for every minute (learning_accounts)
CREATE INDEX accounts_that_learn ON payment.merchant_accounts (merchant_account_id)
  WHERE settings ? 'experiment'
    OR jsonb_path_exists(settings, '$.routing.rules[*].then.best_of');
