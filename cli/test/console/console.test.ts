import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { serve } from '../../../packages/controller/test/cluster/loopback.ts';
import type { MeshState } from '../../../packages/mesh/state.ts';
import { keepForward } from '../../console/keep-forward.ts';
import { consoleCommand, serveLogConsole } from '../../console.ts';
import { newFolder } from '../log-folder.ts';
import { runCommand } from '../run-command.ts';

const url = 'http://127.0.0.1:8309/console/#token=t';

function meshIn(dir: string, console: MeshState['console']): void {
  writeFileSync(join(dir, 'state.json'), JSON.stringify({ console } satisfies Partial<MeshState>));
}

suite('knudge console', () => {
  test('of a mesh prints the address that state.json has', async (context) => {
    const dir = newFolder(context);
    meshIn(dir, url);
    const { out, said, code } = await runCommand(context, consoleCommand(), ['--dir', dir]);
    assert.deepEqual({ out, said, code }, { out: `${url}\n`, said: '', code: 0 });
    const json = await runCommand(context, consoleCommand(), ['--dir', dir, '--json']);
    assert.deepEqual(JSON.parse(json.out), { console: url });
  });

  test('opens it, and says where there is no browser', async (context) => {
    const dir = newFolder(context);
    meshIn(dir, url);
    const { PATH } = process.env;
    process.env['PATH'] = dir;
    const { out, said, code } = await runCommand(context, consoleCommand(), ['--dir', dir, '--open']);
    process.env['PATH'] = PATH;
    assert.deepEqual({ out, code }, { out: `${url}\n`, code: 0 });
    assert.match(said, /open the address yourself\n$/);
  });

  test('says what is missing: a mesh, or its console', async (context) => {
    const dir = newFolder(context);
    const none = await runCommand(context, consoleCommand(), ['--dir', dir]);
    assert.deepEqual([none.code, none.out], [3, '']);
    assert.match(none.said, /^No mesh runs in /);
    meshIn(dir, null);
    const without = await runCommand(context, consoleCommand(), ['--dir', dir]);
    assert.equal(without.code, 3);
    assert.match(without.said, /serves no console: start it without --no-console/);
    assert.equal((await runCommand(context, consoleCommand(), ['--port', 'x'])).code, 2);
  });

  test("of a cluster asks the log with the person's token, and refuses a port in use", async (context) => {
    const log = await serve(context, () => ({ body: { gaps: [] } }));
    const options = { dir: newFolder(context), namespace: 'knudge', kubeconfig: 'none', port: 0 };
    const forward = { url: () => log.url, token: async () => 'mine', again: async () => undefined };
    const server = await serveLogConsole(forward, options);
    context.after(server.close);
    const { origin, hash, port } = new URL(server.url());
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ token: hash.slice('#token='.length) });
    const opened = await fetch(`${origin}/console/session`, { method: 'POST', headers, body });
    const cookie = opened.headers.get('set-cookie') ?? '';
    const ask = (path: string) => fetch(`${origin}/console/api/${path}`, { headers: { cookie } });
    assert.deepEqual(await (await ask('gaps')).json(), { gaps: [] });
    assert.equal(log.seen[0]?.headers['authorization'], 'Bearer mine');
    assert.equal((await ask('map')).status, 200);
    const taken = serveLogConsole(forward, { ...options, port: Number(port) });
    await assert.rejects(taken, { code: 'misuse', message: new RegExp(`^Port ${port} is in use`) });
  });
});

test('a forward is made anew, once for all who ask, and stays where no Pod is ready', async () => {
  const closed: number[] = [];
  const made = { count: 0, fails: false };
  const forward = await keepForward(async () => {
    if (made.fails) throw new Error('no Pod is ready');
    made.count += 1;
    const { count } = made;
    const close = async () => void closed.push(count);
    return { url: `http://127.0.0.1:${count}`, token: async () => `t${count}`, said: () => undefined, close };
  });
  await Promise.all([forward.again(), forward.again()]);
  assert.deepEqual([forward.url(), await forward.token(), closed], ['http://127.0.0.1:2', 't2', [1]]);
  made.fails = true;
  await forward.again();
  assert.equal(forward.url(), 'http://127.0.0.1:2');
  await forward.close();
  assert.deepEqual(closed, [1, 2]);
});

test('a forward that is being made when all ends is closed too', async () => {
  const closed: number[] = [];
  const second = Promise.withResolvers<void>();
  let count = 0;
  const forward = await keepForward(async () => {
    count += 1;
    const own = count;
    if (own > 1) await second.promise;
    const close = async () => void closed.push(own);
    return { url: `http://127.0.0.1:${own}`, token: async () => '', said: () => undefined, close };
  });
  const again = forward.again();
  const ended = forward.close();
  second.resolve();
  await Promise.all([again, ended]);
  assert.deepEqual(closed, [1, 2]);
});
