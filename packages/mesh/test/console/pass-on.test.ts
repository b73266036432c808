import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { serve } from '../../../controller/test/cluster/loopback.ts';
import { passOn } from '../../console/pass-on.ts';

test('asks the event log nothing for a page that has left while its token came', async (context) => {
  const { promise, resolve: giveToken } = Promise.withResolvers<string>();
  const asked = Promise.withResolvers<void>();
  const token = (): Promise<string> => {
    asked.resolve();
    return promise;
  };
  const log = await serve(context, () => ({ body: {} }));
  let settled: Promise<void> | undefined;
  const server = createServer((request, response) => {
    settled = passOn(request, response, { upstream: log.url, path: '/', token });
  }).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1' }).on('error', () => undefined);
  client.end();
  await asked.promise;
  client.destroy();
  await setTimeout(50);
  giveToken('of-a-person');
  await settled;
  assert.equal(log.seen.length, 0);
});
