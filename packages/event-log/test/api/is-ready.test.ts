import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { isReady } from '../../api/is-ready.ts';

async function serve(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a log that is ready has no trouble', async (context) => {
  const asked: (string | undefined)[] = [];
  const url = await serve(context, (request, answer) => {
    asked.push(request.url);
    answer.end('ready');
  });
  assert.equal(await isReady(url), undefined);
  assert.deepEqual(asked, ['/health/readiness']);
});

test('a log that is not ready says why', async (context) => {
  const url = await serve(context, (_request, answer) => answer.writeHead(503).end('this instance is leaving\n'));
  assert.equal(await isReady(url), 'it answers 503 to /health/readiness (this instance is leaving)');
});

test('a log that hangs is waited for two seconds and no longer', async (context) => {
  const url = await serve(context, () => {});
  assert.equal(await isReady(url, 50), 'it gives no answer to /health/readiness within 0.05 s');
});

test('a log that nobody runs cannot be asked', async () => {
  assert.match((await isReady('http://127.0.0.1:1')) ?? '', /^it cannot be asked \(.+\)$/);
});
