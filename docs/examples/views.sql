CREATE VIEW entries AS FROM read_json('log.jsonl', format = 'newline_delimited', columns = {
    "at": 'TIMESTAMP', kind: 'VARCHAR', "table": 'VARCHAR', rules: 'VARCHAR', shoe: 'VARCHAR', round: 'BIGINT',
    op: 'VARCHAR', seat: 'BIGINT', player: 'VARCHAR', "by": 'VARCHAR',
    bets: 'STRUCT(seat BIGINT, box BIGINT, amount BIGINT)[]',
    decisions: 'STRUCT(seat BIGINT, move VARCHAR, "by" VARCHAR)[]',
    hands: 'STRUCT(seat BIGINT, box BIGINT, bet BIGINT, net BIGINT, insured BIGINT, insurance BIGINT, outcome VARCHAR)[]'});

CREATE VIEW rounds AS SELECT r.*, o."at" AS opened, o.bets AS placed, t."table" AS at_table, t.rules AS game
FROM entries r
JOIN entries o ON o.kind = 'open' AND o.shoe = r.shoe AND o.round = r.round
JOIN entries t ON t.kind = 'table' AND t."table" = regexp_extract(r.shoe, '(.*)/', 1)
WHERE r.kind = 'round';

CREATE VIEW players AS SELECT "table", seat, player, "at", lead("at", 1, 'infinity') OVER (PARTITION BY "table", seat ORDER BY "at") AS until
FROM entries WHERE op = 'buy-in';

CREATE VIEW hands AS SELECT r.game, r.at_table, r.round, p.player, h.*, h.net + coalesce(h.insurance, 0) AS won
FROM (SELECT *, unnest(hands) AS h FROM rounds) r
LEFT JOIN players p ON p."table" = r.at_table AND p.seat = r.h.seat AND r."at" >= p."at" AND r."at" < p.until;
