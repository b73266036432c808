import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { serve } from '../kube-client/loopback.ts';

const run = promisify(execFile);

test('the first resync is asked for once, when the Broker is ready for it', { timeout: 20_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-first-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const token = join(folder, 'token');
  writeFileSync(token, 'of-the-job\n');
  const broker = await serve(t, (_, __, count) => ({ status: [404, 503, 202][count - 1] ?? 500, body: '' }));
  const env = { K_SINK: `${broker.url}/knudge/knudge`, K_SINK_TOKEN_FILE: token, RETRY_MS: '10' };
  const { stdout } = await run(process.execPath, ['deploy/first-resync/send.mjs'], { env });
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { told: string }).told),
    ['404', '503', '202'],
  );
  const [first, ...others] = broker.seen.map(({ method, url, headers }) => ({
    ...{ method, url, type: headers['ce-type'], id: headers['ce-id'], authorization: headers.authorization },
  }));
  assert.match(first?.id as string, /^[0-9a-f-]{36}$/);
  assert.deepEqual(first, {
    ...first,
    method: 'POST',
    url: '/knudge/knudge',
    type: 'dev.knudge.resync.due',
    authorization: 'Bearer of-the-job',
  });
  assert.deepEqual(others, [first, first]);
});
