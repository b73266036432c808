import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { issuer } from '../../../issuing/issuer.ts';
import type { KeyPair } from '../../../issuing/types.ts';
import { inCluster } from '../../cluster/in-cluster.ts';
import { createTransport } from '../../cluster/transport.ts';
import { change, errorOf, failure, read } from './build.ts';
import { serve } from './loopback.ts';

const life = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2100-01-01T00:00:00Z' };

async function authority(commonName: string): Promise<KeyPair> {
  return issuer.authority({ commonName, ...life });
}

async function leaf(by: KeyPair, usage: 'client' | 'server', name = 'localhost'): Promise<KeyPair> {
  return issuer.leaf({ commonName: name, dnsNames: [name], usage, authority: by, ...life });
}

/** A ServiceAccount as the kubelet mounts it, with a clock to move. */
async function mounted(t: TestContext, files: Readonly<Record<string, string>>) {
  const mount = await mkdtemp(join(tmpdir(), 'knudge-mount-'));
  t.after(() => rm(mount, { recursive: true }));
  const write = async (name: string, text: string) => writeFile(join(mount, name), text);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const clock = { ms: 1_000_000 };
  return { mount, write, clock, now: () => clock.ms };
}

/** The address of a loopback server as the environment of a Pod names it. */
function addressOf(url: string): { readonly host: string; readonly port: string } {
  const { hostname: host, port } = new URL(url);
  return { host, port };
}

function transportOf(url: string, { mount, now }: { readonly mount: string; readonly now: () => number }) {
  return createTransport({ access: inCluster({ ...addressOf(url), mount, now }), version: '1', timeoutMs: 5000 });
}

test('in a cluster the server is trusted by the mounted authority, over one connection', async (t) => {
  const ca = await authority('ca');
  const server = await serve(t, () => ({ body: { ok: true } }), await tlsOf(ca));
  const call = transportOf(server.url, await mounted(t, { token: 'one\n', 'ca.crt': ca.certificate }));
  for (let count = 0; count < 5; count += 1) assert.deepEqual(await call(read), { ok: true });
  assert.equal(server.connections(), 1);
  assert.equal(server.seen[0]?.headers.authorization, 'Bearer one');
});

test('a server with a certificate of another authority gets no token', async (t) => {
  const server = await serve(t, () => ({}), await tlsOf(await authority('other')));
  const ca = await authority('ca');
  const call = transportOf(server.url, await mounted(t, { token: 'one', 'ca.crt': ca.certificate }));
  const error = await errorOf(call(change));
  assert.equal(error.code, 'unavailable');
  assert.equal(server.seen.length, 0);
});

test('a server with a certificate for another name gets no token', async (t) => {
  const ca = await authority('ca');
  const server = await serve(t, () => ({}), await tlsOf(ca, 'elsewhere.example.com'));
  const call = transportOf(server.url, await mounted(t, { token: 'one', 'ca.crt': ca.certificate }));
  const error = await errorOf(call(read));
  assert.match(error.message, /ERR_TLS_CERT_ALTNAME_INVALID/);
  assert.equal(server.seen.length, 0);
});

test('the token is read again after a minute, not before', async (t) => {
  const ca = await authority('ca');
  const server = await serve(t, () => ({}), await tlsOf(ca));
  const pod = await mounted(t, { token: 'one', 'ca.crt': ca.certificate });
  const call = transportOf(server.url, pod);
  await call(read);
  await pod.write('token', 'two');
  pod.clock.ms += 59_000;
  await call(read);
  pod.clock.ms += 2_000;
  await call(read);
  assert.deepEqual(
    server.seen.map(({ headers }) => headers.authorization),
    ['Bearer one', 'Bearer one', 'Bearer two'],
  );
  assert.equal(server.connections(), 1);
});

for (const call of [read, change]) {
  test(`a ${call.verb} with a token that has expired is tried once more with a new one`, async (t) => {
    const ca = await authority('ca');
    const pod = await mounted(t, { token: 'old', 'ca.crt': ca.certificate });
    const server = await serve(
      t,
      async ({ headers }) => {
        if (headers.authorization === 'Bearer new') return { body: { ok: true } };
        await pod.write('token', 'new');
        return { status: 401, body: failure(401, 'Unauthorized', 'Unauthorized') };
      },
      await tlsOf(ca),
    );
    assert.deepEqual(await transportOf(server.url, pod)(call), { ok: true });
    assert.equal(server.seen.length, 2);
  });
}

test('a token that stays wrong is unauthorized after two tries', async (t) => {
  const ca = await authority('ca');
  const server = await serve(t, () => ({ status: 401, body: failure(401, 'Unauthorized') }), await tlsOf(ca));
  const call = transportOf(server.url, await mounted(t, { token: 'canary-token', 'ca.crt': ca.certificate }));
  const error = await errorOf(call(change));
  assert.deepEqual([error.code, error.retry, server.seen.length], ['unauthorized', 'later', 2]);
  assert.doesNotMatch(error.message, /canary/);
});

test('another authority means new connections, the same one does not', async (t) => {
  const [one, two] = [await authority('one'), await authority('two')];
  const server = await serve(t, () => ({}), await tlsOf(one));
  const pod = await mounted(t, { token: 't', 'ca.crt': one.certificate });
  const call = transportOf(server.url, pod);
  await call(read);
  await pod.write('ca.crt', `${one.certificate}\n${two.certificate}`);
  pod.clock.ms += 61_000;
  await call(read);
  pod.clock.ms += 61_000;
  await call(read);
  assert.equal(server.connections(), 2);
});

test('a client certificate is shown', async (t) => {
  const ca = await authority('ca');
  const server = await serve(t, () => ({ body: { ok: true } }), {
    ...(await tlsOf(ca)),
    ca: ca.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  const { certificate: cert, key } = await leaf(ca, 'client', 'jane');
  const credentials = async () => ({ ca: ca.certificate, cert, key });
  const call = createTransport({ access: { server: server.url, credentials }, version: '1' });
  assert.deepEqual(await call(read), { ok: true });
});

for (const [name, files, want] of [
  ['no token', { 'ca.crt': 'x' }, /token cannot be read: does the Pod mount/],
  ['no authority', { token: 'x' }, /ca\.crt cannot be read/],
  ['an empty token', { token: '\n', 'ca.crt': 'x' }, /token is empty/],
] as const) {
  test(`${name} is said, and it is asked for again at the next call`, async (t) => {
    const pod = await mounted(t, files);
    const access = inCluster({ host: 'localhost', port: '1', mount: pod.mount, now: pod.now });
    const error = await errorOf(access.credentials(false));
    assert.equal(error.code, 'unauthorized');
    assert.match(error.message, want);
    await pod.write('token', 'now');
    await pod.write('ca.crt', 'now');
    assert.deepEqual(await access.credentials(false), { authorization: 'Bearer now', ca: 'now' });
  });
}

test('the address of the API server may be IPv6', () => {
  assert.equal(inCluster({ host: 'fd00::1', port: '443' }).server, 'https://[fd00::1]:443');
});

for (const [host, port, missing] of [
  [undefined, '443', 'KUBERNETES_SERVICE_HOST'],
  ['10.0.0.1', undefined, 'KUBERNETES_SERVICE_PORT'],
  ['', '', 'KUBERNETES_SERVICE_HOST'],
] as const) {
  test(`without ${missing} (${host}, ${port}) it says what to do`, () => {
    assert.throws(() => inCluster({ host, port }), {
      code: 'misuse',
      message: `${missing} is not set: outside a cluster give a kubeconfig`,
    });
  });
}

async function tlsOf(ca: KeyPair, name = 'localhost') {
  const { certificate, key } = await leaf(ca, 'server', name);
  return { cert: certificate, key };
}
