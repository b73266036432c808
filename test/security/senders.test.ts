import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { functions } from '../../functions/table.ts';
import { runChangeFunctions, runQuestionFunction } from '../../packages/start/main.ts';
import { equip } from '../../resources/managed/equip.ts';
import { settings } from '../../resources/managed/settings.ts';
import { startApiStub } from '../build/api-stub.ts';
import { recorded } from '../build/event.ts';
import { claims, elliptic, forged, noon, published, token, trusted } from './tokens.ts';

const jwks = 'GET /openid/v1/jwks';
const env = {
  PORT: '0',
  LOG_LEVEL: 'silent',
  OIDC_ISSUER: trusted.issuer,
  OIDC_AUDIENCE: trusted.audience,
  OIDC_SUBJECTS: trusted.subjects.join(', '),
};
const own = { stem: 'message-changed', ...functions['message-changed'] } as const;

let api: Awaited<ReturnType<typeof startApiStub>>;
let running: Server;
let url: string;

before(async () => {
  // The parent of every event is gone, which costs one read.
  const type = 'application/jwk-set+json';
  api = await startApiStub(({ url: path = '', headers }) =>
    path.startsWith('/openid/') && headers.accept === type
      ? { status: 200, headers: { 'content-type': type }, body: { keys: published } }
      : { status: 404, body: { kind: 'Status', reason: 'NotFound', code: 404 } },
  );
  running = await runChangeFunctions(
    { name: own.stem, own: [own], settings, equip },
    { ...env, API_SERVER_URL: api.url },
  );
  await once(running, 'listening');
  url = `http://127.0.0.1:${String((running.address() as AddressInfo).port)}`;
});
beforeEach(() => {
  api.seen.length = 0;
});
after(() => {
  running.close();
  running.closeAllConnections();
  api.close();
});

const event = recorded('message-changed/message-update-spec');

async function send(authorization: string | undefined, path = '/') {
  const headers = { ...event.headers, ...(authorization !== undefined && { authorization }) };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: new Uint8Array(event.body) });
  return { status: answer.status, help: answer.headers.get('www-authenticate'), body: await answer.text() };
}

describe('S9: an event is refused, and nothing is read for it, with', () => {
  for (const [what, [authorization, status]] of Object.entries(forged)) {
    it(`${what}: ${String(status)}`, async () => {
      const answer = await send(authorization);
      assert.equal(answer.status, status, answer.body);
      assert.equal(answer.help, status === 401 ? 'Bearer' : null);
      assert.ok(Buffer.byteLength(answer.body) <= 512);
      assert.equal(JSON.parse(answer.body).code, status === 401 ? 'unauthenticated' : 'sender-not-allowed');
      assert.deepEqual(
        api.seen.filter((call) => call !== jwks),
        [],
      );
    });
  }

  it('a thousand forged tokens, each of another key, which are one question for keys at most', async () => {
    for (let sent = 0; sent < 1000; sent += 100) {
      const batch = Array.from({ length: 100 }, () => send(`Bearer ${token({}, { alg: 'RS256', kid: randomUUID() })}`));
      assert.deepEqual([...new Set((await Promise.all(batch)).map(({ status }) => status))], [401]);
    }
    assert.ok(api.seen.length <= 1, api.seen.join());
  });

  it('no token, also for a dry run', async () => assert.equal((await send(undefined, '/?dryRun=All')).status, 401));
});

describe('S9: an event is handled with', () => {
  const good: Readonly<Record<string, string>> = {
    'a token by RS256': token(),
    'a token by ES256': token({}, { alg: 'ES256', kid: 'ec-1' }, elliptic.privateKey),
    'a single audience': token({ aud: trusted.audience }),
    'several audiences': token({ aud: ['http://elsewhere', trusted.audience] }),
    'the other sender': token({ sub: trusted.subjects[1] }),
    'a clock that is 29 seconds behind': token({ nbf: noon + 20 }),
    'no beginning': token({ nbf: undefined }),
  };
  for (const [what, text] of Object.entries(good)) {
    it(`${what}`, async () => {
      assert.equal((await send(`bearer ${text}`)).status, 204);
      assert.ok(api.seen.some((call) => call.includes('/messages/')));
    });
  }
});

describe('S20: without a token there is', () => {
  for (const path of ['/health/liveness', '/health/readiness', '/metrics']) {
    it(`${path}, which names no object`, async () => {
      await send(`Bearer ${token()}`);
      const answer = await fetch(`${url}${path}`);
      assert.equal(answer.status, 200);
      const words = new Set((await answer.text()).split(/[^\w:/.-]+/));
      const names = [event.headers['ce-name'], event.headers['ce-namespace'], claims.sub, trusted.audience];
      assert.deepEqual(
        names.filter((name) => words.has(String(name))),
        [],
      );
    });
  }
});

describe('S9: a function does not start', () => {
  const parts = ['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_SUBJECTS'] as const;
  for (const missing of parts) {
    it(`without ${missing}, where the others are set`, async () => {
      const half = { ...env, API_SERVER_URL: api.url, [missing]: '' };
      await assert.rejects(
        runChangeFunctions({ name: own.stem, own: [own], settings, equip }, half),
        new RegExp(`${missing} must be set too`),
      );
    });
  }
  for (const [name, value] of [
    ['OIDC_ISSUER', 'http://plain.example'],
    ['OIDC_SUBJECTS', 'somebody'],
    ['OIDC_SUBJECTS', 'system:serviceaccount:knudge:a,'],
  ] as const) {
    it(`with ${name}=${value}`, async () => {
      const wrong = { ...env, API_SERVER_URL: api.url, [name]: value };
      await assert.rejects(
        runChangeFunctions({ name: own.stem, own: [own], settings, equip }, wrong),
        new RegExp(`${name} is ".*" and must be`),
      );
    });
  }

  it('where who asks it can have no token', async () => {
    const gate = { stem: 'frp-gate', ...functions['frp-gate'] } as const;
    await assert.rejects(
      runQuestionFunction(gate, { ...env, API_SERVER_URL: api.url }),
      /who asks frp-gate has no token/,
    );
  });
});
