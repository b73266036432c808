import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { it } from 'node:test';
import { reach } from '../../doctor/reach.ts';

it('says nothing where somebody listens, and why where nobody does', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  assert.equal(await reach('127.0.0.1', port), undefined);
  server.close();
  await once(server, 'close');
  assert.equal(await reach('127.0.0.1', port), 'ECONNREFUSED');
});

it('gives up in time', async () => {
  // TEST-NET-1 (RFC 5737): nobody is there, so it is silence or a refusal by the network.
  const why = await reach('192.0.2.1', 9, 20);
  assert.match(String(why), /^(no answer within 0\.02 s|E[A-Z]+)$/);
});
