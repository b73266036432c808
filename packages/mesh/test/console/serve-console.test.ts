import assert from 'node:assert/strict';
import { request } from 'node:http';
import { suite, type TestContext, test } from 'node:test';
import supertest from 'supertest';
import { KnudgeError } from '../../../controller/domain/errors.ts';
import { serve } from '../../../controller/test/cluster/loopback.ts';
import type { OwnAnswer } from '../../console/own-answer.ts';
import { type ConsoleParts, serveConsole } from '../../console/serve-console.ts';

const own: readonly OwnAnswer[] = [
  { method: 'GET', path: '/map', answer: async () => ({ sources: [] }) },
  { method: 'GET', path: '/objects/:kind{/:namespace}/:name/events', answer: async ({ params }) => params },
  { method: 'POST', path: '/plan', answer: async ({ body }) => ({ of: body }) },
  {
    method: 'GET',
    path: '/doctor',
    answer: async () => {
      throw new KnudgeError('not-permitted', 'you may not list pods');
    },
  },
];

async function start(context: TestContext, parts: Partial<ConsoleParts> = {}) {
  const log = await serve(context, () => ({ body: { events: [] } }));
  const server = await serveConsole({ upstream: () => log.url, port: 0, own, ...parts });
  context.after(server.close);
  const { origin } = new URL(server.url());
  const tokenNow = () => new URL(server.url()).hash.replace('#token=', '');
  const ask = supertest(origin);
  const open = (token: unknown) => ask.post('/console/session').send({ token });
  return { origin, port: new URL(origin).port, tokenNow, open, ask, log };
}

/** As a page that has shown the token of the address. */
async function opened(context: TestContext, parts: Partial<ConsoleParts> = {}) {
  const started = await start(context, parts);
  const answer = await started.open(started.tokenNow()).expect(204);
  const [given = ''] = answer.headers['set-cookie'] ?? [];
  return { ...started, given, cookie: given.split(';')[0] ?? '' };
}

/** Others set the Host, or tidy the path, by themselves. */
function statusOf(url: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request(url, { headers, path }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

suite('the console on this machine', () => {
  test('opens to a page that shows the token, by a cookie that no script can read', async (context) => {
    const { port, given, cookie, ask, log } = await opened(context);
    assert.match(given, new RegExp(`^knudge-console-${port}=[\\w-]{43}; Path=/console; HttpOnly; SameSite=Strict$`));
    const url = '/console/api/events?limit=1';
    await ask.get(url).set({ cookie, 'last-event-id': '7-1' }).expect(200, { events: [] });
    const [asked] = log.seen;
    assert.deepEqual([asked?.url, asked?.headers['last-event-id']], [url, '7-1']);
    const { cookie: passed, origin, authorization } = asked?.headers ?? {};
    assert.deepEqual([passed, origin, authorization], [undefined, undefined, undefined]);
  });

  test('takes each token once, and says the next address', async (context) => {
    const addresses: string[] = [];
    const { tokenNow, open, ask, cookie } = await opened(context, { onRenewed: (url) => void addresses.push(url) });
    assert.deepEqual(addresses, [addresses[0]]);
    const [first = ''] = addresses;
    const next = tokenNow();
    assert.equal(new URL(first).hash, `#token=${next}`);
    await open(next).expect(204);
    const again = await open(next).expect(401);
    assert.match(again.body.message, /one that was used before\. npx knudge console prints another$/);
    // The same browser opens the same address again.
    await ask.post('/console/session').set({ cookie }).send({ token: next }).expect(204);
    assert.equal(addresses.length, 2);
  });

  test('shows nothing but its pages without the cookie', async (context) => {
    const { origin, port, open, ask, log } = await start(context);
    for (const path of ['events', 'map', 'stream']) await ask.get(`/console/api/${path}`).expect(401);
    await ask
      .get('/console/api/events')
      .set({ cookie: `knudge-console-${port}=guessed` })
      .expect(401);
    for (const path of [
      '%61pi/events',
      'x/../api/events',
      'x/%2e%2e/api/events',
      '/api/events',
      'API/events',
      'x%2fapi',
    ])
      assert.equal(await statusOf(origin, `/console/${path}`), 401, path);
    await ask.post('/console/').send({}).expect(401);
    for (const token of ['guessed', 7, undefined, null]) await open(token).expect(401);
    await ask.post('/console/session').type('json').send('null').expect(401);
    assert.equal(log.seen.length, 0);
    await ask.get('/console/').expect(200);
    assert.equal(log.seen.length, 1);
  });

  test('refuses another Host, another Origin, and a POST without JSON', async (context) => {
    const { origin, ask, cookie, log } = await opened(context);
    assert.equal(await statusOf(origin, '/console/api/map', { host: 'evil.example', cookie }), 403);
    for (const headers of [{ origin: 'http://localhost:3000' }, { 'sec-fetch-site': 'same-site' }]) {
      await ask.get('/console/').set(headers).expect(403);
      await ask
        .post('/console/api/plan')
        .set({ cookie, ...headers })
        .send({})
        .expect(403);
    }
    await ask.get('/console/api/map').set({ cookie, origin }).expect(200);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      for (const path of ['session', 'api/plan', 'api/replay'])
        await ask.post(`/console/${path}`).set({ cookie }).type(type).send('{}').expect(415);
    }
    await ask.post('/console/api/plan').set({ cookie }).expect(415);
    await ask.get('/other').expect(400);
    assert.equal(log.seen.length, 0);
  });

  test('takes no body that is too long, or not JSON', async (context) => {
    const { ask, cookie, open } = await opened(context);
    await open('t'.repeat(1100)).expect(413);
    await ask.post('/console/session').type('json').send('{').expect(400);
    const plan = ask.post('/console/api/plan').set({ cookie }).type('json');
    await plan.send({ id: 'i'.repeat(4200) }).expect(413);
    await ask.post('/console/api/plan').set({ cookie }).type('json').send('[').expect(400);
  });

  test('answers by itself what the event log cannot know', async (context) => {
    const { ask, cookie, log } = await opened(context);
    const map = await ask.get('/console/api/map').set({ cookie }).expect(200, { sources: [] });
    assert.equal(map.headers['cache-control'], 'no-store');
    const about = { kind: 'Message', namespace: 'default', name: 'a/b' };
    await ask.get('/console/api/objects/Message/default/a%2Fb/events').set({ cookie }).expect(200, about);
    await ask.post('/console/api/plan').set({ cookie }).send(about).expect(200, { of: about });
    const refused = await ask.get('/console/api/doctor').set({ cookie }).expect(403);
    assert.equal(refused.body.message, 'you may not list pods');
    assert.equal(log.seen.length, 0);
  });

  test('asks the event log with the token of the person, and never shows it to the page', async (context) => {
    const tokens = ['first', 'renewed'];
    const { ask, cookie, log } = await opened(context, { token: async () => tokens.shift() ?? 'none' });
    const answers = [];
    for (const path of ['events', 'gaps']) answers.push(await ask.get(`/console/api/${path}`).set({ cookie }));
    assert.deepEqual(
      log.seen.map(({ headers }) => headers['authorization']),
      ['Bearer first', 'Bearer renewed'],
    );
    assert.doesNotMatch(JSON.stringify(answers.map(({ headers, text }) => [headers, text])), /first|renewed/);
  });

  test('sends the token of the person to the event log alone, whatever address the request names', async (context) => {
    const elsewhere = await serve(context, () => ({ body: {} }));
    const { origin, cookie, log } = await opened(context, { token: async () => 'of-a-person' });
    for (const path of [`${elsewhere.url}/console/`, `${elsewhere.url}/console/api/events`])
      assert.equal(await statusOf(origin, path, { host: 'localhost', cookie }), 400, path);
    assert.deepEqual([elsewhere.seen.length, log.seen.length], [0, 0]);
  });

  test('says so where the event log does not answer, and asks at its next address', async (context) => {
    const places = ['http://127.0.0.1:9'];
    const log = await serve(context, () => ({ body: { events: [] } }));
    const onAway = async () => void places.unshift(log.url);
    const { ask, cookie } = await opened(context, { upstream: () => places[0] ?? '', onAway });
    const away = await ask.get('/console/api/events').set({ cookie }).expect(503);
    assert.deepEqual(away.body, { code: 'unavailable', message: 'the event log does not answer' });
    await ask.get('/console/api/events').set({ cookie }).expect(200, { events: [] });
  });
});
