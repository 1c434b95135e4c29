-- Who may frame the hosted fields of an account (contract 1.3, 12.2), beside its keys: pushed by the money zone like them.
ALTER TABLE vault.api_keys ADD registered_origins text[] NOT NULL DEFAULT '{}';
GRANT UPDATE (registered_origins) ON vault.api_keys TO vault_app;
