import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type Credentials, createCredentials } from '../../mesh/cluster/credentials.ts';
import type { Api } from '../api.ts';
import { createApi } from '../api.ts';
import type { ApiServer } from '../http/server.ts';
import { serveApi } from '../http/server.ts';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { configMap, configMaps } from './handle.ts';

async function json(answer: Response): Promise<JsonObject> {
  return (await answer.json()) as JsonObject;
}

describe('the server', () => {
  let api: Api;
  let server: ApiServer;
  let credentials: Credentials;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${credentials.token}`, ...init.headers } });
  before(async () => {
    api = createApi();
    credentials = await createCredentials();
    server = await serveApi(api, { port: 0, ...credentials });
  });
  after(async () => {
    await server.close();
    api.close();
  });

  it('listens on the loopback, and says so when it cannot', async () => {
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    await assert.rejects(serveApi(api, { ...credentials, port: Number(new URL(server.url).port) }), /EADDRINUSE/);
  });

  it('without a certificate has HTTP alone', async () => {
    const plain = await serveApi(api, { port: 0, token: 'secret' });
    const headers = { authorization: 'Bearer secret' };
    assert.equal((await fetch(`${plain.url}/api/v1/namespaces`, { headers })).status, 200);
    await assert.rejects(fetch(plain.url.replace('http:', 'https:'), { headers }));
    assert.equal((await fetch(`${plain.url}/readyz`)).status, 200);
    await plain.close();
  });

  it('answers requests, and warns in a header line each', async () => {
    const body = JSON.stringify({ ...configMap('a'), x: 1, y: 2 });
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(configMaps, { method: 'POST', headers, body });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('warning'), '299 - "unknown field \\"x\\"", 299 - "unknown field \\"y\\""');
    const list = await ask(`${configMaps}?labelSelector=${encodeURIComponent('a in (b,ü)')}`);
    assert.equal(list.status, 400);
    assert.equal(objectAt(await json(await ask(`${configMaps}/a`)), 'metadata')['name'], 'a');
    assert.equal(await (await fetch(`${server.url}/readyz`)).text(), 'ok');
    assert.equal((await ask('/nope')).status, 404);
  });

  it('takes 3 MiB and no more', async () => {
    const of = (bytes: number) => JSON.stringify(configMap('big', { data: { a: 'b'.repeat(bytes) } }));
    const post = (body: string) => ask(configMaps, { method: 'POST', body });
    for (const mebibytes of [3, 8]) {
      const answer = await post(of(mebibytes * 1024 * 1024));
      assert.equal(answer.status, 413);
      assert.equal((await json(answer))['reason'], 'RequestEntityTooLarge');
    }
    assert.notEqual((await post(of(1024 * 1024))).status, 413);
  });

  it('takes protobuf, as kubectl create sends it', async () => {
    const hex =
      '6b3873000a0f0a02763112 09436f6e6669674d617012 1c0a120a026b6b12001a0022002a003200380042001206 0a01611201621a002200';
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    const post = (body: Buffer) => ask(configMaps, { method: 'POST', headers, body });
    const answer = await post(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
    assert.equal(answer.status, 201);
    assert.deepEqual((await json(answer))['data'], { a: 'b' });
    const refused = await post(Buffer.from('kind'));
    assert.match(String((await json(refused))['message']), /does not appear to be a protobuf message/);
  });

  it('takes the options of a deletion as protobuf, as Helm sends them', async () => {
    const type = { 'content-type': 'application/json' };
    await ask(configMaps, { method: 'POST', headers: type, body: JSON.stringify(configMap('gone')) });
    // DeleteOptions of v1 with the propagationPolicy Background.
    const hex = '6b3873000a130a027631120d44656c6574654f7074696f6e73120c220a4261636b67726f756e64';
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    const remove = (body: Buffer) => ask(`${configMaps}/gone`, { method: 'DELETE', headers, body });
    assert.equal((await remove(Buffer.from('kind'))).status, 400);
    assert.equal((await remove(Buffer.from(hex, 'hex'))).status, 200);
    assert.equal((await ask(`${configMaps}/gone`)).status, 404);
  });

  it('streams watches, ends them in time, and forgets who hung up', { timeout: 10_000 }, async () => {
    const short = await ask(`/api/v1/namespaces?watch=1&timeoutSeconds=1`);
    assert.equal(short.headers.get('content-type'), 'application/json');
    assert.equal((await short.text()).trim().split('\n').length, 4);
    const hangUp = new AbortController();
    const long = await ask(`/api/v1/namespaces?watch=1`, { signal: hangUp.signal });
    hangUp.abort();
    await assert.rejects(long.text(), /abort/);
    api.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'after' } });
  });

  it('outlives a request that breaks off', async () => {
    const { hostname, port } = new URL(server.url);
    const broken = request({ hostname, port, path: configMaps, method: 'POST', headers: { 'content-length': '100' } });
    broken.on('error', () => {});
    broken.write('{');
    broken.flushHeaders();
    await once(broken, 'socket');
    broken.destroy();
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  });
});
