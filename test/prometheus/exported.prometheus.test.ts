import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { functions, looksAt, services, watches } from '../../functions/table.ts';
import { runSourceProcess } from '../../packages/source/process.ts';
import { runChangeFunctions, runEventFunction, runLogFunctions } from '../../packages/start/main.ts';
import { equip } from '../../resources/managed/equip.ts';
import { settings } from '../../resources/managed/settings.ts';
import { startApiStub } from '../build/api-stub.ts';
import { recorded } from '../build/event.ts';
import { message } from '../build/objects.ts';
import { runPromtool } from './promtool.ts';
import { renderedGroups } from './rules.ts';
import { ownSelectors } from './selectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-exported-'));
const servers: Server[] = [];
/** What each function answered at /metrics, after the trouble that the alerts are about. */
const answers = new Map<string, string>();

const hello = { ...message(), metadata: { ...message().metadata, uid: 'u', resourceVersion: '1', generation: 1 } };
const metadata = { name: 'hello', namespace: 'shop', uid: 'u', resourceVersion: '1' };
const pod = { kind: 'Pod', metadata: { ...metadata, name: 'msg-hello' } };
const failed = { metadata, status: { state: 'Failed' } };
const lease = {
  kind: 'Lease',
  metadata: { name: 'knudge-resync', resourceVersion: '1' },
  spec: { renewTime: new Date().toISOString() },
};
const broken = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'InternalError',
  message: 'etcd',
  code: 500,
};

before(async () => {
  const api = await startApiStub(({ method = '', url = '' }) => {
    if (url.includes('/leases/')) return { status: 200, body: lease };
    if (url.includes('/distributedservices?'))
      return { status: 200, body: { kind: 'DistributedServiceList', metadata: {}, items: [failed] } };
    if (url.includes('/distributedservices/')) return { status: 500, body: broken };
    if (method === 'GET' && url.includes('/messages/')) return { status: 200, body: hello };
    if (method === 'GET') return { status: 404, body: { ...broken, reason: 'NotFound', code: 404 } };
    return { status: method === 'POST' ? 201 : 200, body: method === 'POST' ? pod : hello };
  });
  const env = { PORT: '0', LOG_LEVEL: 'silent', API_SERVER_URL: api.url, K_SINK: 'http://127.0.0.1:9/' };
  const resynced = { 'ce-type': 'dev.knudge.resync.requested', 'ce-source': '/knudge/resync-due' };
  try {
    const ofMessages = { stem: 'message-changed', ...functions['message-changed'] } as const;
    await keep(
      'message-changed',
      await runChangeFunctions({ name: 'message-changed', own: [ofMessages], settings, equip }, env),
      async (url) => {
        await post(url, 'Message', resynced);
      },
    );
    const ofServices = services['distributed-service'].map((stem) => ({ stem, ...functions[stem] }));
    await keep(
      'distributed-service',
      await runChangeFunctions({ name: 'distributed-service', own: ofServices, settings, equip }, env),
      async (url) => {
        await post(`${url}/distributed-service-changed`, 'DistributedService', resynced);
      },
    );
    await keep('resync-due', await runEventFunction({ stem: 'resync-due', ...functions['resync-due'] }, env));
    const ofLog = services['event-log'].map((stem) => ({ stem, ...functions[stem] }));
    const file = join(folder, 'events.db');
    const log = await runLogFunctions('event-log', ofLog, { PORT: '0', LOG_LEVEL: 'silent', EVENT_LOG: file });
    await keep('event-log', log, async (url) => {
      // The log may be at its own tables when the other process asks for them.
      const other = new DatabaseSync(file, { timeout: 5_000 });
      other.exec('BEGIN IMMEDIATE');
      const { headers, body } = recorded('pod-changed/pod-add');
      await (await fetch(`${url}/event-recorded`, { method: 'POST', headers, body: new Uint8Array(body) })).text();
      other.exec('ROLLBACK');
      other.close();
    });
    const source = await runSourceProcess(
      { version: 'test', watches, looksAt },
      { ...env, SOURCE_FILE: join(folder, 'source.db') },
    );
    await keep('source', source.server);
    await source.close();
  } finally {
    api.close();
  }
});
after(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(folder, { recursive: true });
});

async function keep(name: string, server: Server, trouble?: (url: string) => Promise<void>): Promise<void> {
  servers.push(server);
  if (!server.listening) await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await trouble?.(url);
  answers.set(name, await (await fetch(`${url}/metrics`)).text());
}

async function post(url: string, kind: 'Message' | 'DistributedService', more: Readonly<Record<string, string>>) {
  const apiversion = kind === 'Message' ? 'myorg.dev/v1' : 'frp.io/v1beta1';
  const object = { 'ce-apiversion': apiversion, 'ce-kind': kind, 'ce-namespace': 'shop', 'ce-name': 'hello' };
  const headers = { 'ce-specversion': '1.0', 'ce-id': randomUUID(), ...object, ...more };
  await (await fetch(url, { method: 'POST', headers })).text();
}

/** Each series that a rule asks for: its metric, and the labels that the rule names. */
function* selectors(): Generator<{
  alert: string;
  metric: string;
  labels: readonly string[];
  values: readonly string[];
}> {
  for (const { alert, expr } of renderedGroups().groups.flatMap(({ rules }) => rules)) {
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
    for (const { metric, matchers } of ownSelectors(expr)) {
      // Prometheus itself says of which namespace it is.
      const ofFunctions = matchers.filter((text) => !text.startsWith('namespace='));
      const named = ofFunctions.map((text) => text.replace(/\W.*/, ''));
      const values = ofFunctions.filter((text) => /^\w+="/.test(text));
      yield { alert, metric, labels: [...named, ...grouped], values };
    }
  }
}

describe('what the rules ask for', () => {
  it('is told by functions in the trouble that the alerts are about, with those labels', () => {
    const series = [...answers.values()].join('').split('\n');
    const asked = [...selectors()];
    assert.ok(asked.length >= 6, 'each alert asks for something');
    for (const { alert, metric, labels, values } of asked) {
      const found = series.find(
        (line) =>
          line.startsWith(`${metric}{`) &&
          labels.every((label) => new RegExp(`[{,]${label}="`).test(line)) &&
          values.every((value) => line.includes(value)),
      );
      assert.ok(found !== undefined, `${alert}: nobody tells ${metric} with ${labels.join(', ')} ${values.join(', ')}`);
    }
  });

  for (const stem of ['message-changed', 'distributed-service-changed', 'resync-due', 'event-log', 'source']) {
    it(`is told by ${stem} as Prometheus reads it, and as its conventions want it`, () => {
      const { status, said } = runPromtool(['check', 'metrics'], answers.get(stem) ?? '');
      assert.deepEqual([status, said], [0, '']);
    });
  }
});
