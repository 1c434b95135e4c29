-- No statement looks for what was sent by its age: the answers that are over are found by the index of
-- their keys, and the planner that took both read as many pages.
DROP INDEX vault.forwards_age;
