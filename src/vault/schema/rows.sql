-- Rows that are there from the beginning.
INSERT INTO vault.clock DEFAULT VALUES;
INSERT INTO vault.key_epoch DEFAULT VALUES;
