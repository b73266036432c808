import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { event, structured } from '../../../../test/build/event.ts';
import type { Broker } from '../../broker/ingress.ts';
import { serveIngress } from '../../broker/ingress-server.ts';
import type { CloudEvent } from '../../cloud-event.ts';
import { aBroker, startBroker } from './build.ts';

interface Served {
  readonly url: string;
  readonly taken: CloudEvent[];
}

async function serve(t: TestContext, ingress?: Broker['ingress']): Promise<Served> {
  const taken: CloudEvent[] = [];
  const { broker } = startBroker(t, aBroker(), {});
  const usual: Broker['ingress'] = (one) => {
    taken.push(one);
    return broker.ingress(one);
  };
  const server = await serveIngress(new Map([['kn-demo/default', { ingress: ingress ?? usual }]]), {
    port: 0,
    limitBytes: 10_000,
    known: new Set(['kn-demo/default', 'kn-demo/starting']),
  });
  t.after(() => server.close());
  return { url: server.url, taken };
}

const good = event();
const path = '/kn-demo/default';

function post(headers: Readonly<Record<string, string>>, body: Buffer | string): RequestInit {
  return {
    method: 'POST',
    headers: { ...headers, connection: 'close' },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  };
}

suite('the ingress answers', () => {
  const batch = { 'content-type': 'application/cloudevents-batch+json' };
  const envelope = { 'content-type': 'application/cloudevents+json' };
  const rows: readonly [name: string, path: string, request: RequestInit, status: number][] = [
    ['an event in binary mode', path, post(good.headers, good.body), 202],
    ['an event in structured mode', path, post(structured(good).headers, structured(good).body), 202],
    ['a path with a slash at its end', `${path}/`, post(good.headers, good.body), 202],
    ['an event without data', path, post(event({ data: '' }).headers, ''), 202],
    ['no headers of an event', path, post({ 'content-type': 'application/json' }, '{}'), 400],
    ['an event without its id', path, post(event({ attributes: { id: undefined } }).headers, good.body), 400],
    ['an event of a later version', path, post(event({ attributes: { specversion: '2.0' } }).headers, ''), 400],
    ['a batch', path, post(batch, '[]'), 400],
    ['an envelope that is no JSON', path, post(envelope, '{'), 400],
    ['an envelope that is a list', path, post(envelope, '[]'), 400],
    ['an envelope with an object as attribute', path, post(envelope, '{"specversion":"1.0","id":{}}'), 400],
    ['an event without a pass left', path, post(event({ attributes: { knativebrokerttl: '0' } }).headers, ''), 400],
    ['the last pass of an event', path, post(event({ attributes: { knativebrokerttl: '1' } }).headers, ''), 400],
    ['an event with two passes left', path, post(event({ attributes: { knativebrokerttl: '2' } }).headers, ''), 202],
    ['a Broker that is not ready', '/kn-demo/starting', post(good.headers, good.body), 500],
    ['a page of another origin', path, post({ ...good.headers, origin: 'http://evil.example' }, good.body), 403],
    ['an unknown Broker', '/kn-demo/other', post(good.headers, good.body), 404],
    ['no Broker at all', '/', post(good.headers, good.body), 404],
    ['a path too short', '/kn-demo', post(good.headers, good.body), 400],
    ['a path too long', `${path}/more`, post(good.headers, good.body), 400],
    ['GET', path, { method: 'GET' }, 405],
    ['OPTIONS', path, { method: 'OPTIONS' }, 200],
    ['an event that is too large', path, post(good.headers, 'x'.repeat(10_001)), 413],
  ];
  for (const [name, to, request, status] of rows) {
    test(`${name}: ${status}`, async (t) => {
      const { url, taken } = await serve(t);
      const response = await fetch(url + to, request);
      const text = await response.text();
      assert.equal(response.status, status);
      assert.equal(text === '', status < 300, text);
      assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
      if (status === 202) assert.equal(taken.length, 1);
    });
  }

  test('what the Broker answers, and why', async (t) => {
    const { url } = await serve(t, async () => ({ status: 500, message: 'nobody' }));
    const response = await fetch(url + path, post(good.headers, good.body));
    assert.equal(response.status, 500);
    assert.equal(await response.text(), 'nobody');
  });

  test('500 without details where the Broker throws', async (t) => {
    const { url } = await serve(t, () => Promise.reject(new Error('secret')));
    const response = await fetch(url + path, post(good.headers, good.body));
    assert.equal(response.status, 500);
    assert.equal((await response.text()).includes('secret'), false);
  });
});

suite('the ingress hands on', () => {
  test('attributes, type and bytes of the data', async (t) => {
    const { url, taken } = await serve(t);
    const headers = {
      ...good.headers,
      'ce-subject': '%E2%82%AC %25',
      'x-request-id': 'r-1',
      traceparent: '00-x',
      cookie: 'c',
    };
    await (await fetch(url + path, post(headers, good.body))).text();
    const [one] = taken;
    assert.equal(one?.attributes['subject'], '€ %');
    assert.equal(one?.contentType, 'application/json');
    assert.deepEqual(one?.data, good.body);
    assert.deepEqual(one?.headers, { 'x-request-id': 'r-1', traceparent: '00-x' });
  });

  const rows: readonly [name: string, envelope: object, contentType: string | undefined, data: string][] = [
    ['JSON as JSON', { datacontenttype: undefined, data: { a: [1] } }, undefined, '{"a":[1]}'],
    ['text as it is', { datacontenttype: 'text/plain', data: 'hi' }, 'text/plain', 'hi'],
    ['a JSON string as JSON', { datacontenttype: 'application/x+json', data: 'hi' }, 'application/x+json', '"hi"'],
    ['bytes as bytes', { datacontenttype: 'image/x', data: undefined, data_base64: 'aGk=' }, 'image/x', 'hi'],
    ['no data as none', { datacontenttype: undefined, data: undefined }, undefined, ''],
    ['no data of a type', { datacontenttype: 'text/plain', data: undefined }, 'text/plain', ''],
  ];
  for (const [name, envelope, contentType, data] of rows) {
    test(`of an envelope ${name}`, async (t) => {
      const { url, taken } = await serve(t);
      const { headers, body } = structured(good, { ...envelope, count: 3, flag: true, nothing: null });
      const response = await fetch(url + path, post(headers, body));
      assert.equal(response.status, 202, await response.text());
      assert.equal(taken[0]?.contentType, contentType);
      assert.equal(String(taken[0]?.data), data);
      const { count, flag, nothing, datacontenttype } = taken[0]?.attributes ?? {};
      assert.deepEqual([count, flag, nothing, datacontenttype], ['3', 'true', undefined, undefined]);
    });
  }
});

test('a port that is taken is said at once', async (t) => {
  const { url } = await serve(t);
  await assert.rejects(serveIngress(new Map(), { port: Number(new URL(url).port) }), { code: 'EADDRINUSE' });
});
