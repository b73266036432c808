import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { startApiStub } from '../build/api-stub.ts';
import { recorded } from '../build/event.ts';
import { shipped, textOf } from '../house/files.ts';
import { until } from '../kube/until.ts';

describe('S12: a function whose Node has no __proto__ (--disable-proto=delete)', () => {
  let api: Awaited<ReturnType<typeof startApiStub>>;
  let stop = (): void => undefined;
  let url: string;
  let said = '';

  before(async () => {
    api = await startApiStub(() => ({ status: 404, body: { kind: 'Status', reason: 'NotFound', code: 404 } }));
    const env = { PATH: process.env['PATH'], PORT: '0', API_SERVER_URL: api.url, NODE_NO_WARNINGS: '1' };
    const child = spawn(process.execPath, ['--disable-proto=delete', 'packages/start/function.ts', 'message-changed'], {
      env,
    });
    stop = () => void child.kill('SIGKILL');
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('it listens', async () => /"port":\d+/.test(said) || said, 60);
    url = `http://127.0.0.1:${/"port":(\d+)/.exec(said)?.[1] ?? ''}`;
  });
  after(() => {
    stop();
    api.close();
  });

  it('handles an event as ever', async () => {
    const { headers, body } = recorded('message-changed/message-update-spec');
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
    assert.equal(answer.status, 204, await answer.text());
    assert.ok(api.seen.some((call) => call.includes('/messages/')));
  });

  it('refuses a body with that key, and lives on', async () => {
    const { headers } = recorded('message-changed/message-update-spec');
    for (const body of ['{"__proto__":{"polluted":true}}', '{"metadata":{"\\u005f_proto__":{"polluted":true}}}']) {
      const answer = await fetch(url, { method: 'POST', headers, body });
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /forbidden-key/);
    }
    assert.equal((await fetch(`${url}/health/liveness`)).status, 200);
  });
});

describe('S12: no code', () => {
  it('merges objects in depth by a package, or asks for a prototype by the key', () => {
    const packages = /from '(lodash(\.merge)?|deepmerge|defaults-deep|merge|merge-deep|extend|dset|set-value)'/;
    const wrong = shipped.filter(
      (path) => packages.test(textOf(path)) || /\.__proto__|\['__proto__'\]/.test(textOf(path)),
    );
    assert.deepEqual(wrong, []);
  });
});
