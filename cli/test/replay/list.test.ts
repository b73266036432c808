import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { openSqlite } from '../../../packages/event-log/store/sqlite.ts';
import { received } from '../../../packages/event-log/test/store/event.ts';
import { brokerThat, folderWith, idsUpTo } from './scene.ts';

suite('knudge replay', () => {
  test('lists what it would send', async (t) => {
    const { run } = await folderWith(t, 3);
    const { code, out } = await run('replay', '--dry-run', '--limit', '2').ended;
    assert.equal(code, 0);
    assert.match(
      out,
      /^1 {2}\S+Z {2}a\.b\.update {2}ConfigMap shop\/settings {2}e-1\n2 .*\n2 events of .* would be sent\n$/,
    );
    const lines = (await run('replay', '--dry-run', '--json').ended).out.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { id: string }).id),
      idsUpTo(3),
    );
  });

  for (const [args, says] of [
    [['--rate', '0'], /number of events a second/],
    [['--limit', 'x'], /whole number above 0/],
    [['--dry-run', '--plan'], /cannot be used with/],
    [['--file', 'x', '--dead-letters', 'open'], /leave one of them out/],
    [['--dead-letters', 'shut'], /Allowed choices are open, sent-again, discarded/],
  ] as const) {
    test(`${args.join(' ')} is wrong usage`, async (t) => {
      const { run } = await folderWith(t, 0);
      const { code, said } = await run('replay', ...args).ended;
      assert.equal(code, 2);
      assert.match(said, says);
    });
  }
});

suite('knudge replay --dead-letters', () => {
  test('has the log send them, which marks them; a Broker that is named gets them straight', async (t) => {
    const { dir, run } = await folderWith(t, 2);
    const log = await openSqlite(join(dir, 'events.db'));
    await log.appendDeadLetter(received({ id: 'dead' }));
    await log.close();
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(join(dir, 'state.json'), JSON.stringify({ broker: url, functions: { 'event-log': url } }));
    const { code, out } = await run('replay', '--dead-letters', 'open').ended;
    assert.deepEqual([code, asked], [0, ['POST /dead-letters/1/retry']]);
    assert.match(out, /^1 event of .* sent\n$/);
    const broker = await brokerThat(t);
    assert.equal((await run('replay', '--dead-letters', 'open', '--broker', broker.url).ended).code, 0);
    assert.deepEqual([broker.ids, asked.length], [['dead'], 1]);
  });
});
