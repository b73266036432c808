import type { PoolClient } from 'pg';
import { refuseNewer } from './refuse-newer.ts';

/** Each makes the schema of its number, counted from one, out of the one before. A released one is never changed. */
export const migrations: readonly string[] = [
  `CREATE TABLE knudge_events (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, digest TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, recorded TEXT NOT NULL, id TEXT NOT NULL,
    source TEXT NOT NULL, type TEXT NOT NULL, time TEXT NOT NULL, at BIGINT NOT NULL, kind TEXT, namespace TEXT, name TEXT,
    extensions TEXT NOT NULL, data TEXT
  );
  CREATE INDEX knudge_events_at ON knudge_events (at);
  CREATE INDEX knudge_events_id ON knudge_events (id);
  CREATE INDEX knudge_events_type ON knudge_events (type, seq);
  CREATE INDEX knudge_events_kind ON knudge_events (kind, namespace, name, seq) WHERE kind IS NOT NULL;
  CREATE INDEX knudge_events_namespace ON knudge_events (namespace, name, seq) WHERE namespace IS NOT NULL;
  CREATE INDEX knudge_events_name ON knudge_events (name, seq) WHERE name IS NOT NULL;
  CREATE TABLE knudge_dead_letters (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, digest TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, recorded TEXT NOT NULL, id TEXT NOT NULL,
    source TEXT NOT NULL, type TEXT NOT NULL, time TEXT NOT NULL, at BIGINT NOT NULL, kind TEXT, namespace TEXT, name TEXT,
    extensions TEXT NOT NULL, data TEXT,
    destination TEXT NOT NULL, status INTEGER, said TEXT, times INTEGER NOT NULL, last TEXT NOT NULL, state TEXT NOT NULL,
    note TEXT
  );
  CREATE INDEX knudge_dead_letters_state ON knudge_dead_letters (state);
  CREATE INDEX knudge_dead_letters_at ON knudge_dead_letters (at);
  CREATE TABLE knudge_gaps (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, began TEXT NOT NULL, ended TEXT NOT NULL, events INTEGER NOT NULL,
    reason TEXT NOT NULL
  );`,
  `CREATE TABLE knudge_life (one INTEGER PRIMARY KEY CHECK (one = 1), at BIGINT NOT NULL, is_end BOOLEAN NOT NULL);`,
  `ALTER TABLE knudge_events ADD COLUMN shortened INTEGER;
  ALTER TABLE knudge_dead_letters ADD COLUMN shortened INTEGER;`,
  `CREATE TABLE knudge_senders (
    source TEXT NOT NULL, namespace TEXT NOT NULL, bytes BIGINT NOT NULL, PRIMARY KEY (source, namespace)
  );
  INSERT INTO knudge_senders SELECT source, coalesce(namespace, ''), sum(size) FROM knudge_events GROUP BY 1, 2;
  CREATE INDEX knudge_events_sender ON knudge_events (source, coalesce(namespace, ''), seq);
  CREATE INDEX knudge_dead_letters_sender ON knudge_dead_letters (source, coalesce(namespace, ''), size);
  CREATE FUNCTION knudge_came() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO knudge_senders AS held SELECT source, coalesce(namespace, ''), sum(size) FROM came GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (source, namespace) DO UPDATE SET bytes = held.bytes + excluded.bytes;
    RETURN NULL;
  END $$;
  CREATE FUNCTION knudge_went() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE knudge_senders AS held SET bytes = held.bytes - gone.bytes FROM
      (SELECT source, coalesce(namespace, '') AS namespace, sum(size) AS bytes FROM went GROUP BY 1, 2) AS gone
      WHERE held.source = gone.source AND held.namespace = gone.namespace;
    DELETE FROM knudge_senders WHERE bytes <= 0;
    RETURN NULL;
  END $$;
  CREATE TRIGGER knudge_came AFTER INSERT ON knudge_events REFERENCING NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION knudge_came();
  CREATE TRIGGER knudge_went AFTER DELETE ON knudge_events REFERENCING OLD TABLE AS went
    FOR EACH STATEMENT EXECUTE FUNCTION knudge_went();`,
  `ALTER TABLE knudge_events ADD COLUMN previous TEXT;
  ALTER TABLE knudge_events ADD COLUMN hash TEXT;
  ALTER TABLE knudge_events ADD CONSTRAINT knudge_events_chained CHECK (hash IS NOT NULL) NOT VALID;
  CREATE TABLE knudge_chain (one INTEGER PRIMARY KEY CHECK (one = 1), hash TEXT NOT NULL, gone BIGINT NOT NULL);
  INSERT INTO knudge_chain VALUES (1, '', 0);
  CREATE TABLE knudge_let_go (
    first BIGINT PRIMARY KEY, last BIGINT NOT NULL, events BIGINT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL
  );
  CREATE INDEX knudge_let_go_previous ON knudge_let_go (previous);
  CREATE INDEX knudge_let_go_hash ON knudge_let_go (hash);`,
  `ALTER TABLE knudge_events ADD COLUMN uid TEXT, ADD COLUMN version TEXT, ADD COLUMN spec_hash TEXT, ADD COLUMN status_hash TEXT;
  ALTER TABLE knudge_dead_letters ADD COLUMN uid TEXT, ADD COLUMN version TEXT, ADD COLUMN spec_hash TEXT, ADD COLUMN status_hash TEXT;
  CREATE INDEX knudge_events_uid ON knudge_events (uid, version) WHERE uid IS NOT NULL;
  CREATE TABLE knudge_deliveries (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, digest TEXT NOT NULL UNIQUE, event TEXT NOT NULL, id TEXT NOT NULL,
    source TEXT NOT NULL, recorded TEXT NOT NULL, began TEXT NOT NULL, at BIGINT NOT NULL, function TEXT NOT NULL, attempt INTEGER,
    ms DOUBLE PRECISION NOT NULL, cold_ms INTEGER, status INTEGER NOT NULL, outcome TEXT NOT NULL, reads INTEGER NOT NULL,
    writes INTEGER NOT NULL, parents TEXT NOT NULL, written TEXT NOT NULL, unlisted INTEGER, trace_id TEXT, instance TEXT,
    size INTEGER NOT NULL
  );
  CREATE INDEX knudge_deliveries_event ON knudge_deliveries (event);
  CREATE INDEX knudge_deliveries_at ON knudge_deliveries (at);
  CREATE TABLE knudge_writes (
    uid TEXT NOT NULL, version TEXT NOT NULL, verb TEXT NOT NULL,
    delivery BIGINT NOT NULL REFERENCES knudge_deliveries (seq) ON DELETE CASCADE
  );
  CREATE INDEX knudge_writes_uid ON knudge_writes (uid, version);
  CREATE INDEX knudge_writes_delivery ON knudge_writes (delivery);`,
  `CREATE TABLE knudge_delivered (
    function TEXT NOT NULL, outcome TEXT NOT NULL, deliveries BIGINT NOT NULL, ms DOUBLE PRECISION NOT NULL, cold BIGINT NOT NULL,
    cold_ms BIGINT NOT NULL, PRIMARY KEY (function, outcome)
  );
  INSERT INTO knudge_delivered SELECT function, outcome, count(*), sum(ms), count(cold_ms), coalesce(sum(cold_ms), 0)
    FROM knudge_deliveries GROUP BY 1, 2;
  CREATE FUNCTION knudge_delivered() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO knudge_delivered AS total VALUES
      (NEW.function, NEW.outcome, 1, NEW.ms, (NEW.cold_ms IS NOT NULL)::int, coalesce(NEW.cold_ms, 0))
      ON CONFLICT (function, outcome) DO UPDATE SET deliveries = total.deliveries + 1, ms = total.ms + excluded.ms,
      cold = total.cold + excluded.cold, cold_ms = total.cold_ms + excluded.cold_ms;
    RETURN NULL;
  END $$;
  CREATE TRIGGER knudge_delivered AFTER INSERT ON knudge_deliveries
    FOR EACH ROW EXECUTE FUNCTION knudge_delivered();`,
  `ALTER TABLE knudge_deliveries ADD COLUMN in_vain INTEGER;`,
  // A report may say any name: 64 functions, and 48 outcomes of each, have a row of their own, and the others share the row of `other`.
  `CREATE TEMP TABLE unfolded ON COMMIT DROP AS SELECT * FROM knudge_delivered;
  CREATE TEMP TABLE largest ON COMMIT DROP AS
    SELECT function FROM unfolded GROUP BY function ORDER BY sum(deliveries) DESC, function LIMIT 64;
  DELETE FROM knudge_delivered;
  INSERT INTO knudge_delivered SELECT f, o, sum(deliveries), sum(ms), sum(cold), sum(cold_ms) FROM (SELECT
    CASE WHEN function IN (SELECT function FROM largest) THEN function ELSE 'other' END AS f,
    CASE WHEN function IN (SELECT function FROM largest)
      AND row_number() OVER (PARTITION BY function ORDER BY deliveries DESC, outcome) <= 48 THEN outcome ELSE 'other' END AS o,
    deliveries, ms, cold, cold_ms FROM unfolded) AS folded GROUP BY f, o;
  CREATE OR REPLACE FUNCTION knudge_delivered() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE f TEXT := NEW.function; o TEXT := NEW.outcome;
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM knudge_delivered WHERE function = f)
      AND (SELECT count(DISTINCT function) FROM knudge_delivered) >= 64 THEN f := 'other'; END IF;
    IF NOT EXISTS (SELECT 1 FROM knudge_delivered WHERE function = f AND outcome = o)
      AND (SELECT count(*) FROM knudge_delivered WHERE function = f) >= 48 THEN o := 'other'; END IF;
    INSERT INTO knudge_delivered AS total VALUES (f, o, 1, NEW.ms, (NEW.cold_ms IS NOT NULL)::int, coalesce(NEW.cold_ms, 0))
      ON CONFLICT (function, outcome) DO UPDATE SET deliveries = total.deliveries + 1, ms = total.ms + excluded.ms,
      cold = total.cold + excluded.cold, cold_ms = total.cold_ms + excluded.cold_ms;
    RETURN NULL;
  END $$;`,
  // Of events that come from now on: to read the data of all others would hold up the start of a large log.
  `ALTER TABLE knudge_events ADD COLUMN owner TEXT;
  ALTER TABLE knudge_dead_letters ADD COLUMN owner TEXT;
  CREATE INDEX knudge_events_owner ON knudge_events (owner, seq) WHERE owner IS NOT NULL;`,
];

/** A query for which the client waits longer than its connection says (https://node-postgres.com/apis/client#queryconfig). */
function patiently(text: string): { readonly text: string; readonly query_timeout: number } {
  return { text, query_timeout: longestStep };
}

/** An arbitrary number that no other program locks: processes that start together migrate one after the other. */
const lock = 1_802_072_676;

/** Milliseconds for one step. A step may read a whole log, and the limit of other statements would end it at every start. */
const longestStep = 6 * 3_600_000;

/** Brings the tables to the newest schema, all or nothing. Throws `invalid-request` if a newer Knudge made them. */
export async function migrate(client: PoolClient): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL statement_timeout = ${longestStep}`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [lock]);
    await client.query('CREATE TABLE IF NOT EXISTS knudge_schema (version INTEGER NOT NULL)');
    const { rows } = await client.query<{ version: number }>('SELECT version FROM knudge_schema');
    const found = rows[0]?.version ?? 0;
    refuseNewer(found, migrations.length);
    for (const text of migrations.slice(found)) await client.query(patiently(text));
    if (found < migrations.length) {
      await client.query('DELETE FROM knudge_schema');
      await client.query('INSERT INTO knudge_schema VALUES ($1)', [migrations.length]);
    }
    await client.query('COMMIT');
  } catch (thrown) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw thrown;
  }
}
