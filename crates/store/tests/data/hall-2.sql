PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE seating (
    id TEXT PRIMARY KEY NOT NULL,
    setup TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    stage INTEGER NOT NULL,
    first TEXT,
    second TEXT,
    room TEXT
) WITHOUT ROWID;
INSERT INTO seating VALUES('empty2345678','{"game":"gomoku/freestyle","options":{"size":15},"fen":null,"how":"open","room":null,"clock":{"kind":"none"},"created_ms":4000000000005}',4000000000005,0,NULL,NULL,NULL);
INSERT INTO seating VALUES('every2345678','{"game":"gomoku/freestyle","options":{"size":15},"fen":null,"how":"invite","room":null,"clock":{"kind":"none"},"created_ms":4000000000001}',4000000000001,2,'b7c5d9e2f4g6','k3m9q2w7x4y5',NULL);
INSERT INTO seating VALUES('foreign23456','{"game":"jingbanqi","options":{"size":15},"map":{"id":"m1","name":"a map"},"fen":null,"how":"open","room":null,"clock":{"kind":"per-move","turn_ms":60000},"created_ms":4000000000004}',4000000000004,1,'engine-Pikafish',NULL,NULL);
INSERT INTO seating VALUES('machine23456','{"game":"locked","options":{"size":15},"fen":null,"how":"screen","room":null,"clock":{"kind":"byo-yomi","base_ms":1000,"period_ms":30000,"periods":3},"created_ms":4000000000003}',4000000000003,1,'z8h4n6p2r5t3','level-3',NULL);
INSERT INTO seating VALUES('room23456789','{"game":"gomoku/renju","options":{"size":15},"fen":"15/15 w","how":"room","room":"茶馆 tea","clock":{"kind":"fischer","base_ms":300000,"increment_ms":2000},"created_ms":4000000000002}',4000000000002,0,'k3m9q2w7x4y5',NULL,'茶馆 tea');
CREATE TABLE event (
    seating TEXT NOT NULL,
    ver INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    cmd TEXT,
    spent_ms INTEGER,
    body TEXT NOT NULL,
    PRIMARY KEY (seating, ver)
) WITHOUT ROWID;
INSERT INTO event VALUES('every2345678',1,1700000001500,'wish-1',NULL,'{"k":"sit","side":"first","who":{"id":"k3m9q2w7x4y5","name":"Ada"}}');
INSERT INTO event VALUES('every2345678',2,1700000003000,'wish-2',NULL,'{"k":"sit","side":"second","who":{"id":"z8h4n6p2r5t3","name":null}}');
INSERT INTO event VALUES('every2345678',3,1700000004500,'wish-3',30,'{"k":"leave","side":"second"}');
INSERT INTO event VALUES('every2345678',4,1700000006000,'wish-4',NULL,'{"k":"sit","side":"second","who":{"id":"b7c5d9e2f4g6","name":"棋手 \"2\""}}');
INSERT INTO event VALUES('every2345678',5,1700000007500,'wish-5',NULL,'{"k":"move","by":"first","move":"h8"}');
INSERT INTO event VALUES('every2345678',6,1700000009000,'wish-6',60,'{"k":"withdraw","by":"first"}');
INSERT INTO event VALUES('every2345678',7,1700000010500,'wish-7',NULL,'{"k":"move","by":"first","move":"h9"}');
INSERT INTO event VALUES('every2345678',8,1700000012000,'wish-8',NULL,'{"k":"offer","by":"second","what":"takeback"}');
INSERT INTO event VALUES('every2345678',9,1700000013500,'wish-9',90,'{"k":"decline","by":"first","what":"takeback"}');
INSERT INTO event VALUES('every2345678',10,1700000015000,'wish-10',NULL,'{"k":"offer","by":"first","what":"draw"}');
INSERT INTO event VALUES('every2345678',11,1700000016500,'wish-11',NULL,'{"k":"offer","by":"first","what":"rematch"}');
INSERT INTO event VALUES('every2345678',12,1700000018000,'wish-12',120,'{"k":"offer","by":"first","what":"swap"}');
INSERT INTO event VALUES('every2345678',13,1700000019500,'wish-13',NULL,'{"k":"takeback","by":"second","plies":2}');
INSERT INTO event VALUES('every2345678',14,1700000021000,'wish-14',NULL,'{"k":"draw"}');
INSERT INTO event VALUES('every2345678',15,1700000022500,'wish-15',150,'{"k":"swap"}');
INSERT INTO event VALUES('every2345678',16,1700000024000,'wish-16',NULL,'{"k":"resign","by":"second"}');
INSERT INTO event VALUES('every2345678',17,1700000025500,'wish-17',NULL,'{"k":"flag","by":"first"}');
INSERT INTO event VALUES('every2345678',18,1700000027000,'wish-18',180,'{"k":"abort","by":"first"}');
INSERT INTO event VALUES('every2345678',19,1700000028500,'wish-19',NULL,'{"k":"forfeit","by":"second","reason":"engine-silent"}');
INSERT INTO event VALUES('every2345678',20,1700000030000,'wish-20',NULL,'{"k":"rematch","table":"next23456789"}');
INSERT INTO event VALUES('every2345678',21,1700000031500,NULL,210,'{"k":"pause"}');
INSERT INTO event VALUES('foreign23456',1,1700000001500,NULL,NULL,'{"k":"sit","side":"first","who":{"id":"engine-Pikafish","name":"Pikafish","engine":{"engine":"Pikafish"}}}');
INSERT INTO event VALUES('machine23456',1,1700000001500,'a',NULL,'{"k":"sit","side":"first","who":{"id":"z8h4n6p2r5t3","name":null}}');
INSERT INTO event VALUES('machine23456',2,1700000003000,'b',NULL,'{"k":"sit","side":"second","who":{"id":"level-3","name":null,"engine":{"level":3}}}');
INSERT INTO event VALUES('room23456789',1,1700000001500,'a',NULL,'{"k":"sit","side":"first","who":{"id":"k3m9q2w7x4y5","name":"Ada"}}');
CREATE TABLE guest (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO guest VALUES('k3m9q2w7x4y5','Ada');
CREATE TABLE report (
    seating TEXT PRIMARY KEY NOT NULL,
    ver INTEGER NOT NULL,
    body TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO report VALUES('every2345678',20,'{"turns":[]}');
CREATE TABLE map (
    id TEXT PRIMARY KEY NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    old_names INTEGER NOT NULL,
    trial INTEGER NOT NULL,
    line TEXT NOT NULL
);
INSERT INTO map VALUES('m1','k3m9q2w7x4y5','a map',4000000000000,11,1,0,'{"id":"m1","name":"a map","rows":5,"cols":6,"kinds":2,"extensions":["ext.py"],"created_ms":4000000000000,"ours":false}');
CREATE TABLE map_file (
    map TEXT NOT NULL REFERENCES map (id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    file TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (map, n)
);
INSERT INTO map_file VALUES('m1',0,'map.xlsx',X'504b030400ff');
INSERT INTO map_file VALUES('m1',1,'ext.py',X'706173730a');
CREATE INDEX seating_first ON seating (first, stage) WHERE first IS NOT NULL AND stage < 2;
CREATE INDEX seating_second ON seating (second, stage) WHERE second IS NOT NULL AND stage < 2;
CREATE UNIQUE INDEX seating_room ON seating (room) WHERE room IS NOT NULL AND stage < 2;
CREATE UNIQUE INDEX event_cmd ON event (seating, cmd) WHERE cmd IS NOT NULL;
CREATE INDEX map_owner ON map (owner);
CREATE INDEX map_created ON map (created_ms);
COMMIT;
PRAGMA user_version = 2;
