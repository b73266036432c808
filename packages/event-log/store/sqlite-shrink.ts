import type { DatabaseSync } from 'node:sqlite';
import { stretchesOf } from './chain.ts';
import { linksOf, type Stored, toStretch } from './row.ts';
import { excessOf, type Held } from './share.ts';
import { type Gone, type Limits, retainedAtOnce } from './writing.ts';

/** Removes a number of rows that are too old or too many; returns how many. */
export function shrinkSqlite(database: DatabaseSync, { before, bytes }: Limits): Gone {
  const run = (sql: string, ...values: (string | number)[]): number =>
    Number(database.prepare(sql).run(...values).changes);
  const runEvents = (sql: string, ...values: (string | number)[]): number => {
    const gone = database.prepare(`${sql} RETURNING seq, previous, hash`).all(...values);
    letGo(database, gone);
    return gone.length;
  };
  const aged = {
    events: runEvents(old('events'), before),
    letters: run(old('dead_letters'), before),
    deliveries: run(old('deliveries'), before),
  };
  const used = usedBytes(database);
  if (aged.events + aged.letters + aged.deliveries > 0 || used === 0) return aged;
  const [events, letters] = [sumOf(database, 'bytes', 'senders'), sumOf(database, 'size', 'dead_letters')];
  const deliveries = sumOf(database, 'size', 'deliveries');
  // Pages are never quite full, and indexes take room too: this many bytes of rows fit into the bytes of the file.
  const room = bytes * ((events + letters + deliveries) / used);
  const excess = excessOf({ room, letters, deliveries, events, largest: largest(database) });
  switch (excess?.kind) {
    case undefined:
      return aged;
    case 'dead-letters':
      return { ...aged, letters: run(manyLetters, excess.bytes) };
    case 'deliveries':
      return { ...aged, deliveries: run(manyDeliveries, excess.bytes) };
    case 'events':
      return { ...aged, events: runEvents(manyEvents, excess.sender.source, excess.sender.namespace, excess.bytes) };
  }
}

/** Removes events from the chain, which continues over them: a few stretches stand for all of them. */
function letGo(database: DatabaseSync, gone: readonly Stored[]): void {
  const links = linksOf(gone);
  if (links.length === 0) return;
  const beside = `FROM let_go WHERE hash IN (SELECT value FROM json_each(?)) OR previous IN (SELECT value FROM json_each(?))`;
  const hashes = [links.map(({ previous }) => previous), links.map(({ hash }) => hash)].map((one) =>
    JSON.stringify(one),
  );
  const found = database.prepare(`SELECT * ${beside}`).all(...hashes);
  database.prepare(`DELETE ${beside}`).run(...hashes);
  const insert = database.prepare('INSERT INTO let_go VALUES (?, ?, ?, ?, ?)');
  for (const { first, last, events, previous, hash } of stretchesOf(links, found.map(toStretch))) {
    insert.run(first, last, events, previous, hash);
  }
  database.prepare('UPDATE chain SET gone = gone + ?').run(links.length);
}

function old(table: string): string {
  return `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM (SELECT seq, recorded FROM ${table}
    ORDER BY seq LIMIT ${retainedAtOnce}) WHERE recorded < ?)`;
}

const manyEvents = `DELETE FROM events WHERE seq IN (SELECT seq FROM (SELECT seq, sum(size) OVER (ORDER BY seq) - size AS before
  FROM (SELECT seq, size FROM events WHERE source = ? AND coalesce(namespace, '') = ? ORDER BY seq LIMIT ${retainedAtOnce}))
  WHERE before < ?)`;

const manyDeliveries = `DELETE FROM deliveries WHERE seq IN (SELECT seq FROM (SELECT seq, sum(size) OVER (ORDER BY seq) - size AS before
  FROM (SELECT seq, size FROM deliveries ORDER BY seq LIMIT ${retainedAtOnce})) WHERE before < ?)`;

/** The dead letters of the sender with most bytes; those that are not open go first. */
const manyLetters = `DELETE FROM dead_letters WHERE seq IN (SELECT seq FROM (SELECT seq,
  sum(size) OVER (ORDER BY state = 'open', seq) - size AS before FROM (SELECT seq, size, state FROM dead_letters
  WHERE (source, coalesce(namespace, '')) = (SELECT source, coalesce(namespace, '') FROM dead_letters GROUP BY 1, 2
  ORDER BY sum(size) DESC LIMIT 1) ORDER BY state = 'open', seq LIMIT ${retainedAtOnce})) WHERE before < ?)`;

function largest(database: DatabaseSync): readonly Held[] {
  const rows = database.prepare('SELECT source, namespace, bytes FROM senders ORDER BY bytes DESC LIMIT 2').all();
  return rows.map((row) => ({
    source: String(row['source']),
    namespace: String(row['namespace']),
    bytes: Number(row['bytes']),
  }));
}

function sumOf(database: DatabaseSync, column: string, table: string): number {
  return Number(database.prepare(`SELECT coalesce(sum(${column}), 0) AS sum FROM ${table}`).get()?.['sum']);
}

/** The bytes in use, without freed pages. */
function usedBytes(database: DatabaseSync): number {
  const pragma = (name: string): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
}
