import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { platform } from 'node:os';
import { type TestContext, test } from 'node:test';
import { listening } from './listening.ts';

async function tcp(context: TestContext, host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  context.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('each port at which this process can be reached is told, and from where', {
  skip: platform() !== 'linux' && 'there is no /proc',
}, async (context) => {
  const ports = {
    own: await tcp(context, '127.0.0.1'),
    own6: await tcp(context, '::1'),
    every: await tcp(context, '0.0.0.0'),
    every6: await tcp(context, '::'),
  };
  const socket = createSocket('udp4').bind(0, '0.0.0.0');
  await once(socket, 'listening');
  context.after(() => socket.close());
  const found = listening(process.pid);
  for (const one of [
    `tcp ${ports.own} on loopback`,
    `tcp ${ports.own6} on loopback`,
    `tcp ${ports.every}`,
    `tcp ${ports.every6}`,
    `udp ${socket.address().port}`,
  ])
    assert.ok(found.includes(one), `${one} is not among ${found.join(', ')}`);
});
