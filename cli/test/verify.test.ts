import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import type { EventLog } from '../../packages/controller/domain/event-log.ts';
import { logOverHttp } from '../../packages/event-log/api/over-http.ts';
import type { Verdict } from '../../packages/event-log/store/verify.ts';
import { serveLog } from '../../packages/event-log/test/api/serve-log.ts';
import { received } from '../../packages/event-log/test/store/event.ts';
import { eventsCommand } from '../events.ts';
import { folderWith, serveFolder } from './log-folder.ts';
import { runCommand } from './run-command.ts';

async function fill(log: EventLog): Promise<void> {
  await Promise.all(Array.from({ length: 130 }, (_, n) => log.append(received({ id: `e-${n + 1}`, data: { n } }))));
}

suite('knudge events verify', () => {
  test('says that the chain is whole, with its end, and ends with 0', async (context) => {
    const dir = await folderWith(context, fill);
    const { out, code } = await runCommand(context, eventsCommand(), ['verify', '--dir', dir]);
    assert.match(
      out,
      /^the chain is whole: 130 events in .*events\.db, 0 removed by retention\nits end is [\w-]{43}\n$/,
    );
    assert.equal(code, 0);
  });

  test('names each row that is not what was written, and ends with 1', async (context) => {
    const dir = await folderWith(context, fill);
    const database = new DatabaseSync(join(dir, 'events.db'));
    database.exec(`DELETE FROM events WHERE seq = 7; UPDATE events SET data = '{"n":0}' WHERE seq = 120`);
    database.close();
    const { out, code } = await runCommand(context, eventsCommand(), ['verify', '--dir', dir]);
    assert.match(
      out,
      /^event 8: what was before it was taken out.*\nevent 120: it was changed\nthe chain is broken: 129/,
    );
    assert.equal(code, 1);
    const ran = await runCommand(context, eventsCommand(), ['verify', '--dir', dir, '--json']);
    const { whole, events, breaks } = JSON.parse(ran.out) as Verdict;
    assert.deepEqual([whole, events, breaks.map(({ seq }) => seq), ran.code], [false, 129, [8, 120], 1]);
  });

  test('asks the process of the log where there is no file, by the right to read events', async (context) => {
    const dir = await folderWith(context, fill);
    const log = await serveFolder(context, dir, async () => undefined);
    rmSync(join(dir, 'events.db'));
    const { out, code } = await runCommand(context, eventsCommand(), ['verify', '--dir', dir, '--json']);
    assert.deepEqual([(JSON.parse(out) as Verdict).events, code], [130, 0]);
    const server = await serveLog({ log, send: async () => undefined });
    context.after(() => server.close());
    await assert.rejects(logOverHttp({ url: server.url }).chain(-1, 1), { code: 'invalid-request' });
    assert.equal((await fetch(`${server.url}/events?chain=true&kind=Pod`)).status, 400);
  });
});
