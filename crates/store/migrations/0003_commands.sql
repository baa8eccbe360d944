-- A table in memory knows the commands of its whole log.
DROP INDEX event_cmd;

PRAGMA user_version = 4;
