import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:https';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { type Credentials, createCredentials } from '../../mesh/cluster/credentials.ts';
import { type Api, createApi } from '../api.ts';
import { type ApiServer, serveApi } from '../http/server.ts';

suite('who may ask the embedded API', () => {
  let api: Api;
  let server: ApiServer;
  let credentials: Credentials;
  before(async () => {
    api = createApi();
    credentials = await createCredentials();
    server = await serveApi(api, { port: 0, ...credentials });
  });
  after(async () => {
    await server.close();
    api.close();
  });
  const statusOf = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(server.url + path, { headers })).status;

  test('who shows the token of this start', async () => {
    assert.equal(await statusOf('/api/v1/secrets', { authorization: `Bearer ${credentials.token}` }), 200);
    assert.notEqual((await createCredentials()).token, credentials.token);
  });

  for (const shown of ['', 'Bearer', 'Bearer wrong', 'Basic YTpi', 'the token alone']) {
    test(`nobody else, who gets a Status with 401: "${shown}"`, async () => {
      const authorization = shown === 'the token alone' ? credentials.token : shown;
      const answer = await fetch(`${server.url}/api/v1/secrets`, { headers: { authorization } });
      const { kind, code, reason } = (await answer.json()) as Record<string, unknown>;
      assert.deepEqual([answer.status, kind, code, reason], [401, 'Status', 401, 'Unauthorized']);
    });
  }

  test('everybody on this machine for its health, and for nothing else', async () => {
    const paths = ['/livez', '/readyz', '/healthz', '/readyz?verbose'];
    assert.deepEqual(await Promise.all(paths.map((path) => statusOf(path))), [200, 200, 200, 200]);
    const others = ['/', '/api', '/version', '/openapi/v2', '/readyz/../api', '/livezx', '/nope'];
    for (const path of others) assert.equal(await statusOf(path), 401, path);
  });

  test('no page, with the token neither', async () => {
    const headers = { authorization: `Bearer ${credentials.token}`, origin: 'http://evil.example' };
    const answer = await fetch(`${server.url}/readyz`, { headers });
    assert.equal(answer.status, 403);
    assert.equal(((await answer.json()) as { reason: string }).reason, 'Forbidden');
  });

  test('over HTTPS too, by its authority', async () => {
    const url = server.url.replace('http:', 'https:');
    const headers = { authorization: `Bearer ${credentials.token}` };
    const [answer] = await once(get(`${url}/api/v1/secrets`, { ca: credentials.authority, headers }), 'response');
    assert.equal(((await json(answer)) as { kind: string }).kind, 'SecretList');
    await assert.rejects(once(get(url), 'response'), /unable to verify|self-signed/);
  });

  test('a connection that says nothing, or half of something, keeps nobody waiting at the end', async () => {
    const other = await serveApi(api, { port: 0, ...credentials });
    const port = Number(new URL(other.url).port);
    const silent = connect(port, '127.0.0.1');
    const half = connect(port, '127.0.0.1', () => half.write('\x16\x03'));
    const gone = connect(port, '127.0.0.1', () => gone.end());
    const ends = [silent, half].map((socket) =>
      once(
        socket.on('error', () => {}),
        'close',
      ),
    );
    await once(gone.resume(), 'close');
    await other.close();
    await Promise.all(ends);
  });
});
