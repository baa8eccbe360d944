-- A table in memory knows the commands of its whole log. The index was half of what a move cost.
DROP INDEX event_cmd;

PRAGMA user_version = 4;
