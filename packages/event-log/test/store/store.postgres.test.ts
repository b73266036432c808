import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { EventLog } from '../../../controller/domain/event-log.ts';
import { openEventLog } from '../../store/open.ts';
import { openPostgres } from '../../store/postgres.ts';
import { migrations } from '../../store/postgres-migrations.ts';
import { verify } from '../../store/verify.ts';
import { type CasesWith, logCases } from './cases.ts';
import { chainCases } from './chain-cases.ts';
import { codeOf } from './code-of.ts';
import { deliveryCases } from './delivery-cases.ts';
import { received } from './event.ts';
import { killOften } from './kills.ts';
import { lifeCases } from './life-cases.ts';
import { oldRow } from './old-row.ts';
import { placeCases } from './place-cases.ts';
import { execute, newDatabase, testServer } from './server.ts';
import { shareCases } from './share-cases.ts';

const server = await testServer();
after(() => server.stop());

const opening: CasesWith = { open: async (now) => openPostgres(await newDatabase(server), now) };
logCases('PostgreSQL', opening);
placeCases('PostgreSQL', opening);
shareCases('PostgreSQL', opening);
chainCases('PostgreSQL', {
  prefix: 'knudge_',
  open: async (now) => {
    const url = await newDatabase(server);
    return { log: await openPostgres(url, now), execute: (sql) => execute(url, sql) };
  },
});
lifeCases('PostgreSQL', opening);
deliveryCases('PostgreSQL', opening);

suite('the tables of the log', () => {
  test('are made by one of several that start together', async () => {
    const databaseUrl = await newDatabase(server);
    const logs = await Promise.all(Array.from({ length: 4 }, () => openEventLog({ databaseUrl, file: '' })));
    const kept = await Promise.all(logs.map((log) => log.append(received())));
    assert.equal(kept.filter(Boolean).length, 1);
    for (const log of logs) await log.close();
  });

  test('are refused with a sentence where a newer Knudge made them', async () => {
    const url = await newDatabase(server);
    await execute(url, 'CREATE TABLE knudge_schema (version INTEGER); INSERT INTO knudge_schema VALUES (99)');
    await assert.rejects(openPostgres(url), /has schema 99 and this Knudge knows 10: a newer one wrote it/);
  });

  test('of the last schema are taken as they are: their events are older than the chain, and it begins after them', async () => {
    const url = await newDatabase(server);
    const version = 'CREATE TABLE knudge_schema (version INTEGER); INSERT INTO knudge_schema VALUES (2)';
    await execute(url, [...migrations.slice(0, 2), version, oldRow('a', 'knudge_events')].join(';'));
    const log = await openPostgres(url);
    assert.equal(await log.append(received()), true);
    const { head: _, ...verdict } = await verify(log);
    assert.deepEqual(verdict, { whole: true, events: 1, letGo: 0, older: 1, breaks: [] });
    await assert.rejects(execute(url, oldRow('late', 'knudge_events')), /knudge_events_chained/);
    await log.retain({ days: 3650, bytes: 1 });
    assert.equal((await verify(log)).whole, true);
    await log.close();
  });

  test('are brought to the newest schema also where that takes longer than any other statement may', async () => {
    const url = await newDatabase(server);
    await execute(
      url,
      `CREATE SEQUENCE once;
      CREATE FUNCTION slow() RETURNS event_trigger LANGUAGE plpgsql AS
        $$ BEGIN IF nextval('once') = 1 THEN PERFORM pg_sleep(13); END IF; END $$;
      CREATE EVENT TRIGGER slow ON ddl_command_start WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION slow()`,
    );
    const began = performance.now();
    const log = await openPostgres(url);
    assert.ok(performance.now() - began < 10_000, 'the start does not wait for all of it');
    const kept = async (): Promise<boolean> => log.append(received()).catch(kept);
    assert.equal(await kept(), true);
    assert.ok(performance.now() - began > 13_000);
    await log.close();
  });

  test('of several writers at once have one chain', async () => {
    const url = await newDatabase(server);
    const logs = await Promise.all(Array.from({ length: 3 }, () => openPostgres(url)));
    const ids = Array.from({ length: 200 }, (_, n) => `e-${n % 150}`);
    await Promise.all(ids.map((id, n) => logs[n % 3]?.append(received({ id, data: 'x'.repeat(2000) }))));
    await Promise.all(logs.map((log) => log.retain({ days: 30, bytes: 200_000 })));
    const verdict = await verify(logs[0] as EventLog);
    assert.deepEqual([verdict.whole, verdict.events + verdict.letGo], [true, 150]);
    for (const log of logs) await log.close();
  });

  test('of a server that is away are tried again with each call', async () => {
    const url = await newDatabase(server);
    const log = await openPostgres(url.replace(/\w+$/, 'not_yet'));
    assert.equal(await codeOf(log.append(received())), 'unavailable');
    await execute(url, 'CREATE DATABASE not_yet');
    assert.equal(await log.append(received()), true);
    await log.close();
  });
});

test('a server that crashes takes nothing along, and is used again', async () => {
  const log = await openPostgres(await newDatabase(server));
  assert.equal(await log.append(received()), true);
  await server.crash();
  await codeOf(log.append(received({ id: 'e-2' })));
  await log.append(received({ id: 'e-3' }));
  const ids = (await log.events({}, { order: 'oldest-first', limit: 9 })).map(({ id }) => id);
  assert.ok(ids.includes('e-1') && ids.includes('e-3'), ids.join());
  await log.close();
});

test('PostgreSQL: kill -9 in a loop loses nothing that was acknowledged and tears nothing', async (context) => {
  const databaseUrl = await newDatabase(server);
  await killOften(context, {
    place: { databaseUrl, file: '' },
    killStore: async (round) => {
      if (round % 4 !== 3) return false;
      await server.crash();
      return true;
    },
  });
});
