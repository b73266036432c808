import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { outsideCluster } from '../../cluster/outside.ts';
import { createTransport } from '../../cluster/transport.ts';
import { errorOf, failure, read } from './build.ts';
import { serve } from './loopback.ts';

interface Parts {
  readonly server?: string;
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly currentContext?: string;
}

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'knudge-kubeconfig-'));
  t.after(() => rm(made, { recursive: true }));
  return made;
}

/** A kubeconfig with one cluster, one user and one context, all called `here`. */
async function kubeconfig(
  t: TestContext,
  { server = 'https://127.0.0.1:1', cluster = {}, user = {}, currentContext = 'here' }: Parts,
) {
  const path = join(await folder(t), 'config');
  const whole = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': currentContext,
    clusters: [{ name: 'here', cluster: { server, ...cluster } }],
    users: [{ name: 'here', user }],
    contexts: [{ name: 'here', context: { cluster: 'here', user: 'here' } }],
  };
  await writeFile(path, JSON.stringify(whole));
  return path;
}

/** A command that counts its calls in its token and gives one that never expires by itself. */
async function command(t: TestContext): Promise<string> {
  const home = await folder(t);
  const path = join(home, 'login');
  const credential =
    '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"token-%s"}}';
  await writeFile(
    path,
    `#!/bin/sh\necho x >> ${home}/calls\nprintf '${credential}' "$(wc -l < ${home}/calls | tr -d ' ')"\n`,
  );
  await chmod(path, 0o755);
  return path;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

for (const [name, user, cluster, want] of [
  ['a token', { token: 'abc' }, {}, { authorization: 'Bearer abc' }],
  [
    'a name and a password',
    { username: 'jane', password: 'secret' },
    {},
    { authorization: `Basic ${base64('jane:secret')}` },
  ],
  [
    'a client certificate',
    { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
    { 'certificate-authority-data': base64('CA') },
    { ca: 'CA', cert: 'CERT', key: 'KEY' },
  ],
  [
    'a server without verification',
    { token: 'abc' },
    { 'insecure-skip-tls-verify': true },
    { authorization: 'Bearer abc', insecure: true },
  ],
  [
    'another name of the server',
    { token: 'abc' },
    { 'tls-server-name': 'kubernetes' },
    { authorization: 'Bearer abc', serverName: 'kubernetes' },
  ],
  ['somebody else', { token: 'abc', as: 'jane' }, {}, { authorization: 'Bearer abc', impersonate: 'jane' }],
] as const) {
  test(`a kubeconfig may give ${name}`, async (t) => {
    const access = await outsideCluster({ kubeconfig: await kubeconfig(t, { user, cluster }) });
    assert.equal(access.server, 'https://127.0.0.1:1');
    assert.deepEqual(await access.credentials(false), want);
  });
}

test('plain HTTP on loopback works with what the kubeconfig gives', async (t) => {
  const server = await serve(t, () => ({ body: { ok: true } }));
  const access = await outsideCluster({
    kubeconfig: await kubeconfig(t, { server: server.url, user: { token: 'abc' } }),
  });
  assert.deepEqual(await createTransport({ access, version: '1' })(read), { ok: true });
  assert.equal(server.seen[0]?.headers.authorization, 'Bearer abc');
});

test('the token of a command is kept for half a minute, and made anew after a 401', async (t) => {
  const server = await serve(t, ({ headers }) =>
    headers.authorization === 'Bearer token-2' ? {} : { status: 401, body: failure(401, 'Unauthorized') },
  );
  const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: await command(t), args: [] } };
  const access = await outsideCluster({ kubeconfig: await kubeconfig(t, { server: server.url, user }) });
  const call = createTransport({ access, version: '1' });
  await call(read);
  await call(read);
  assert.deepEqual(
    server.seen.map(({ headers }) => headers.authorization),
    ['Bearer token-1', 'Bearer token-2', 'Bearer token-2'],
  );
});

test('another context than the current one may be named', async (t) => {
  const path = await kubeconfig(t, { currentContext: 'nowhere', user: { token: 'abc' } });
  assert.equal((await outsideCluster({ kubeconfig: path, context: 'here' })).server, 'https://127.0.0.1:1');
});

for (const [name, parts, want] of [
  ['no current context', { currentContext: '' }, / has no current-context: set it or name a context$/],
  ['a current context that it has not', { currentContext: 'nowhere' }, / has no context nowhere: name one of .+$/],
  ['a proxy', { cluster: { 'proxy-url': 'http://127.0.0.1:3128' } }, /: proxy-url of cluster here is not supported/],
] as const) {
  test(`a kubeconfig with ${name} is said to be wrong in one sentence`, async (t) => {
    const error = await errorOf(outsideCluster({ kubeconfig: await kubeconfig(t, parts) }));
    assert.deepEqual([error.code, error.message.includes('\n')], ['misuse', false]);
    assert.match(error.message, want);
  });
}

test('a kubeconfig that does not exist is named', async (t) => {
  const path = join(await folder(t), 'absent');
  const error = await errorOf(outsideCluster({ kubeconfig: path }));
  assert.equal(error.message, `${path} does not exist: name a kubeconfig that does`);
});

for (const [name, text] of [
  ['garbage', 'canary: [unclosed'],
  ['empty', ''],
  ['of another shape', '{"clusters":[{"name":"canary"}]}'],
] as const) {
  test(`a kubeconfig that is ${name} is not quoted`, async (t) => {
    const path = join(await folder(t), 'config');
    await writeFile(path, text);
    const error = await errorOf(outsideCluster({ kubeconfig: path }));
    assert.equal(error.message, `${path} is not a kubeconfig: check that kubectl can use it`);
    assert.equal(error.cause, undefined);
  });
}

test('a command that is not installed is named', async (t) => {
  const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'knudge-no-such-command', args: [] } };
  const access = await outsideCluster({ kubeconfig: await kubeconfig(t, { user }) });
  const error = await errorOf(access.credentials(false));
  assert.equal(error.code, 'unauthorized');
  assert.equal(
    error.message,
    'The kubeconfig: the command knudge-no-such-command cannot be found: install it or correct the path',
  );
});

test('a command that fails is named, and what it printed is not repeated', async (t) => {
  const args = ['-c', 'echo canary >&2; exit 3'];
  const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', args } };
  const access = await outsideCluster({ kubeconfig: await kubeconfig(t, { user }) });
  const { message } = await errorOf(access.credentials(false));
  assert.equal(message, 'The kubeconfig: the command /bin/sh gave no credentials: try kubectl with it');
});
