-- What an API key may be used for, as the money zone says; NULL: everything.
ALTER TABLE vault.api_keys ADD scopes text[];
GRANT UPDATE (scopes) ON vault.api_keys TO vault_app;
