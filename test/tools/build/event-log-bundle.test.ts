import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, untilListening } from '../../../packages/image/cache/listening.ts';
import {
  type Bundle,
  bundleConsole,
  bundleExpress,
  bundleLoader,
  bundlePostgres,
  bundleService,
  bundleThread,
} from '../../../tools/build/bundles.ts';
import { checkBundle } from '../../../tools/build/check.ts';
import { recorded } from '../../build/event.ts';
import { until } from '../../kube/until.ts';

/** Milliseconds: a bound for machines that do other things too. */
const longest = 20_000;

const inputs = ({ metafile }: Bundle): readonly string[] =>
  Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));

/** Bytes that a folder of the sources has in a bundle. */
const bytesOf = (folder: string, { metafile }: Bundle): number =>
  Object.values(metafile.outputs)
    .flatMap((output) => Object.entries(output.inputs))
    .reduce((sum, [input, { bytesInOutput }]) => sum + (input.startsWith(folder) ? bytesInOutput : 0), 0);

test('the event log is in no other bundle, and has its thread, the client of PostgreSQL, express and the console beside it', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-bundles-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const [own, other, thread, postgres, express, pages] = await Promise.all([
    bundleService('event-log', folder),
    bundleService('resync-due', folder),
    bundleThread(folder),
    bundlePostgres(folder),
    bundleExpress(folder),
    bundleConsole(folder),
    bundleLoader(folder),
  ]);
  assert.deepEqual(checkBundle(own), []);
  const functionsIn = inputs(own).filter((input) => /(^|\/)functions\//.test(input));
  assert.deepEqual(functionsIn.sort(), [
    'packages/controller/functions/dead-lettered.ts',
    'packages/controller/functions/event-recorded.ts',
  ]);
  assert.ok(bytesOf('packages/event-log/store/', own) > 5000);
  for (const stranger of ['packages/event-log/store/', 'packages/event-log/api/', 'packages/event-log/record/'])
    assert.ok(bytesOf(stranger, other) < 50, stranger);
  assert.ok(!inputs(own).some((input) => input.includes('node_modules/pg')));
  assert.ok(inputs(postgres).some((input) => input.includes('node_modules/pg/')));
  assert.ok(inputs(express).some((input) => input.includes('node_modules/express/')));
  for (const builder of ['esbuild', 'preact', 'uplot'])
    assert.ok(!inputs(own).some((input) => input.includes(`node_modules/${builder}/`)), builder);
  assert.ok(inputs(pages).some((input) => input.startsWith('node_modules/preact/')));
  assert.ok(thread.bytes < 20_000);
  const port = await freePort();
  const child = spawn(process.execPath, [join(folder, 'function.cjs'), 'event-log'], {
    env: { PORT: String(port), EVENT_LOG: join(folder, 'events.db') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await untilListening(port);
    const { headers, body } = recorded('pod-changed/pod-add');
    const url = `http://127.0.0.1:${String(port)}`;
    const sent = { method: 'POST', headers, body: new Uint8Array(body) };
    // 503 where this machine is too busy to do it in half a second: then it comes again.
    await until('it is kept', async () => (await fetch(`${url}/event-recorded`, sent)).status === 204);
    const { events } = (await (await fetch(`${url}/events`)).json()) as { events: { kind: string }[] };
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['Pod'],
    );
    for (const name of ['', ...readdirSync(join(folder, 'functions/console'))]) {
      const { status, headers: given } = await fetch(`${url}/console/${name}`);
      assert.equal(status, 200, name);
      assert.match(given.get('content-security-policy') ?? '', /^default-src 'self';/);
    }
    assert.equal((await fetch(`${url}/console/other.js`)).status, 404);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit', { signal: AbortSignal.timeout(longest) }), [0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
