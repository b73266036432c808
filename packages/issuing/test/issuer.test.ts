import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect, createSecureContext, createServer } from 'node:tls';
import { issuer } from '../issuer.ts';
import type { KeyPair } from '../types.ts';

const span = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2036-01-01T00:00:00Z' };
const names = ['web.shop.distributedservices.frp.io'];

async function pairs(): Promise<{ authority: KeyPair; leaf: KeyPair; server: KeyPair }> {
  const authority = await issuer.authority({ commonName: 'Knudge clients of default', ...span });
  const leaf = await issuer.leaf({ commonName: 'web', dnsNames: names, usage: 'client', authority, ...span });
  const server = await issuer.leaf({
    commonName: 'frps',
    dnsNames: ['frps.example'],
    usage: 'server',
    authority,
    ...span,
  });
  return { authority, leaf, server };
}

test('a leaf says its names and times, and holds against its authority', async () => {
  const { authority, leaf } = await pairs();
  assert.deepEqual(await issuer.inspect(leaf, authority.certificate), { ...span, dnsNames: names });
  assert.match(leaf.key, /^-----BEGIN PRIVATE KEY-----\n/);
});

const broken: readonly [sentence: string, make: () => Promise<{ pair: KeyPair; authority: string }>][] = [
  [
    'the key of another certificate',
    async () => {
      const [one, two] = [await pairs(), await pairs()];
      return { pair: { ...one.leaf, key: two.leaf.key }, authority: one.authority.certificate };
    },
  ],
  [
    'the signature of another authority of the same name',
    async () => {
      const [one, two] = [await pairs(), await pairs()];
      return { pair: one.leaf, authority: two.authority.certificate };
    },
  ],
  [
    'a leaf in the place of the authority',
    async () => {
      const { leaf, server } = await pairs();
      return { pair: leaf, authority: server.certificate };
    },
  ],
  [
    'no certificate at all',
    async () => {
      const { authority, leaf } = await pairs();
      return { pair: { ...leaf, certificate: 'nonsense' }, authority: authority.certificate };
    },
  ],
  [
    'no key at all',
    async () => {
      const { authority, leaf } = await pairs();
      return { pair: { ...leaf, key: '' }, authority: authority.certificate };
    },
  ],
];
for (const [sentence, make] of broken) {
  test(`inspecting ${sentence} gives nothing`, async () => {
    const { pair, authority } = await make();
    assert.equal(await issuer.inspect(pair, authority), undefined);
  });
}

test('client and server prove themselves to each other in a real TLS handshake', async (t) => {
  const { authority, leaf, server } = await pairs();
  const listening = createServer(
    {
      cert: server.certificate,
      key: server.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    },
    (socket) => socket.end('in'),
  ).listen(0, '127.0.0.1');
  t.after(() => listening.close());
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const secureContext = createSecureContext({ cert: leaf.certificate, key: leaf.key, ca: authority.certificate });
  const socket = connect({ port, host: '127.0.0.1', servername: 'frps.example', secureContext });
  const [chunk] = await once(socket, 'data');
  assert.equal(String(chunk), 'in');
  assert.equal(socket.authorized, true);
  socket.destroy();
});
