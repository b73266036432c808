import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { functions, services } from '../../functions/table.ts';
import { runChangeFunctions, runEventFunction, runLogFunctions } from '../../packages/start/main.ts';
import { equip } from '../../resources/managed/equip.ts';
import { settings } from '../../resources/managed/settings.ts';
import { startApiStub } from '../build/api-stub.ts';
import { recorded } from '../build/event.ts';
import { changeStems } from '../build/stems.ts';
import { until } from '../kube/until.ts';
import { published, token, trusted } from './tokens.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-senders-'));
const running: Server[] = [];
let api: Awaited<ReturnType<typeof startApiStub>>;

before(async () => {
  api = await startApiStub(({ url = '' }) =>
    url.startsWith('/openid/')
      ? { status: 200, headers: { 'content-type': 'application/jwk-set+json' }, body: { keys: published } }
      : { status: 404, body: { kind: 'Status', reason: 'NotFound', code: 404 } },
  );
});
after(() => {
  for (const server of running) {
    server.close();
    server.closeAllConnections();
  }
  api.close();
  rmSync(folder, { recursive: true });
});

async function addressOf(starting: Promise<Server>): Promise<string> {
  const server = await starting;
  running.push(server);
  if (!server.listening) await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const env = () => ({
  PORT: '0',
  LOG_LEVEL: 'silent',
  API_SERVER_URL: api.url,
  K_SINK: 'http://127.0.0.1:9/',
  OIDC_ISSUER: trusted.issuer,
  OIDC_AUDIENCE: trusted.audience,
  OIDC_SUBJECTS: trusted.subjects.join(),
  EVENT_LOG: join(folder, 'events.db'),
});

async function statusOf(url: string, authorization?: string): Promise<number> {
  const { headers, body } = recorded('message-changed/message-update-spec');
  const all = { ...headers, ...(authorization !== undefined && { authorization }) };
  return (await fetch(url, { method: 'POST', headers: all, body: new Uint8Array(body) })).status;
}

/** An event of the wrong kind costs a function nothing, once its sender may send. */
async function assertAsks(url: string): Promise<void> {
  assert.equal(await statusOf(url), 401);
  assert.equal(await statusOf(url, `Bearer ${token({ sub: 'system:serviceaccount:tenant:sender' })}`), 403);
  // The event log says 503 where the machine is too busy to keep an event in half a second.
  await until('it is taken', async () => (await statusOf(url, `Bearer ${token()}`)) === 204);
}

describe('S9: a sender is asked for his token by', () => {
  for (const stem of changeStems) {
    it(`${stem}, where it stands alone`, async () => {
      await assertAsks(
        await addressOf(
          runChangeFunctions({ name: stem, own: [{ stem, ...functions[stem] }], settings, equip }, env()),
        ),
      );
    });
  }

  it('distributed-service, at the path of each of its functions', async () => {
    const own = services['distributed-service'].map((stem) => ({ stem, ...functions[stem] }));
    const url = await addressOf(runChangeFunctions({ name: 'distributed-service', own, settings, equip }, env()));
    for (const { stem } of own) await assertAsks(`${url}/${stem}`);
  });

  it('resync-due', async () => {
    const own = { stem: 'resync-due', ...functions['resync-due'] } as const;
    await assertAsks(await addressOf(runEventFunction(own, env())));
  });

  it('a function that uses nothing else of the cluster', async () => {
    const own = { stem: 'resync-due', ...functions['resync-due'], uses: ['broker'] } as const;
    await assertAsks(await addressOf(runEventFunction(own, env())));
  });

  it('event-log, at the path of each of its functions; who reads it is asked in his own way', async () => {
    const own = services['event-log'].map((stem) => ({ stem, ...functions[stem] }));
    const url = await addressOf(runLogFunctions('event-log', own, env()));
    for (const { stem } of own) await assertAsks(`${url}/${stem}`);
    assert.equal((await fetch(`${url}/events`)).status, 200);
  });
});
