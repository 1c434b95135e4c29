-- The schema of the money zone when the numbered migrations began; today.sql is what it is now.
-- Runs as florin_owner; the roles exist (kit/migrate.ts).
-- payment_app is the service: not owner, no way past row-level security. payment_queue owns the few
-- functions that look across merchant accounts.
\ir ../types.sql

-- what tables call: in their defaults, their policies and their triggers
\ir ../functions/now.sql
\ir ../functions/tenant.sql
\ir ../functions/refuse.sql
\ir ../functions/never_back.sql
\ir ../functions/step_ok.sql
\ir ../functions/refuse_step.sql
\ir ../functions/authentication_step_ok.sql
\ir ../functions/fan_out.sql
\ir ../functions/chain.sql

\ir ../tables/clock.sql
\ir ../tables/secret_key.sql
\ir ../tables/jobs.sql
\ir ../tables/providers.sql
\ir ../tables/merchant_accounts.sql
\ir ../tables/api_keys.sql
\ir ../tables/contracts.sql
\ir ../tables/checkouts.sql
\ir ../tables/late_checkouts.sql
\ir ../tables/orders.sql
\ir ../tables/transactions.sql
\ir ../tables/operations.sql
\ir ../tables/observations.sql
\ir ../tables/authentications.sql
\ir ../tables/contradictions.sql
\ir ../tables/rulings.sql
\ir ../tables/disputes.sql
\ir ../tables/ledger_entries.sql
\ir ../tables/events.sql
\ir ../tables/idempotency_keys.sql
\ir ../tables/provider_events.sql
\ir ../tables/lapses.sql
\ir ../tables/customers.sql
\ir ../tables/customer_orders.sql
\ir ../tables/customer_methods.sql
\ir ../tables/saved_cards.sql
\ir ../tables/saved_card_tokens.sql
\ir ../tables/card_removals.sql
\ir ../tables/network_references.sql
\ir ../tables/risk_versions.sql
\ir ../tables/risk_entries.sql
\ir ../tables/risk_sightings.sql
\ir ../tables/endpoints.sql
\ir ../tables/notifications.sql
\ir ../tables/notification_faults.sql
\ir ../tables/people.sql
\ir ../tables/recovery_codes.sql
\ir ../tables/sessions.sql
\ir ../tables/known_networks.sql
\ir ../tables/members.sql
\ir ../tables/invitations.sql
\ir ../tables/saved_views.sql
\ir ../tables/refund_requests.sql
\ir ../tables/audit.sql
\ir ../tables/audit_heads.sql
\ir ../tables/order_classes.sql
\ir ../tables/order_search.sql
\ir ../tables/order_hours.sql
\ir ../tables/order_search_state.sql
\ir ../tables/search_words.sql

\ir ../rows.sql

GRANT USAGE ON SCHEMA payment TO payment_app, payment_queue;
