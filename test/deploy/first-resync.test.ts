import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { kebabOf } from '../../packages/controller/functions/kebab.ts';
import { settleMs } from '../../packages/controller/resync/restart.ts';
import { serve } from '../../packages/controller/test/cluster/loopback.ts';
import { createBroker } from '../../packages/mesh/broker/ingress.ts';
import { serveIngress } from '../../packages/mesh/broker/ingress-server.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import type { BrokerSpec } from '../../packages/mesh/mesh-spec.ts';
import { parentKinds } from '../../resources/managed/kinds.ts';
import { root, textOf } from '../house/files.ts';
import { manifest } from '../house/manifest.ts';
import { anInstallation, type Installation } from './installation.ts';

const run = promisify(execFile);
const limit = { timeout: 30_000 };
const spec = readManifests({ root });

/** What the Job says until it ends. */
async function job(env: Readonly<Record<string, string>>): Promise<readonly Record<string, string>[]> {
  const { stdout } = await run(process.execPath, ['deploy/first-resync/send.mjs'], { env, timeout: 25_000 });
  return linesOf(stdout);
}

function linesOf(stdout: string): readonly Record<string, string>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
}

/** Resolves when the API server has answered some more rounds of questions. */
async function asked({ api }: Installation, times = 8): Promise<void> {
  const before = api.seen.length;
  while (api.seen.length < before + times) await sleep(10);
}

interface Mesh {
  readonly sink: string;
  /** Has the in-memory channel the subscription of resync-due? */
  isSubscribed: boolean;
  /** The Broker is addressable from then on. */
  readonly begin: () => void;
  /** When resync-due was called, in milliseconds. */
  readonly rounds: { readonly id: string; readonly at: number }[];
}

/** The Broker of the manifests with the Trigger resync-due, whose function is one that is through at once. */
async function aMesh(t: TestContext, installation: Installation): Promise<Mesh> {
  const [broker] = spec.brokers as readonly [BrokerSpec];
  const rounds: Mesh['rounds'] = [];
  const running = createBroker(broker, {
    triggers: spec.triggers.filter(({ name }) => name === 'resync-due'),
    deliver: async (_, { attributes: { id = '' } }) => {
      rounds.push({ id, at: Date.now() });
      installation.through = id;
      return { kind: 'answered', status: 204, headers: {}, body: Buffer.alloc(0) };
    },
    report: () => undefined,
    isSubscribed: () => mesh.isSubscribed,
  });
  const brokers = new Map<string, typeof running>();
  const ingress = await serveIngress(brokers, { port: 0, known: new Set(['knudge/knudge']) });
  t.after(async () => {
    await ingress.close();
    await running.close();
  });
  const begin = (): void => void brokers.set('knudge/knudge', running);
  const mesh: Mesh = { sink: `${ingress.url}/knudge/knudge`, isSubscribed: true, begin, rounds };
  return mesh;
}

test(
  'nothing is sent before all that a resync needs is ready, and one begins when the sources watch',
  limit,
  async (t) => {
    const installation = await anInstallation(t);
    const { lacking, env, api } = installation;
    lacking.set('triggers/resync-due', 'BrokerNotConfigured');
    lacking.set('triggers/message-changed', 'of an older generation');
    lacking.set('apiserversources/cluster-objects', 'not there');
    const mesh = await aMesh(t, installation);
    mesh.begin();
    const ended = job({ ...env, K_SINK: mesh.sink });
    for (const name of [...lacking.keys()]) {
      await asked(installation);
      assert.equal(mesh.rounds.length, 0, `${name} is not ready`);
      lacking.delete(name);
    }
    const ready = Date.now();
    const lines = await ended;
    const [source, others] = [
      'apiserversources/cluster-objects (answered 404)',
      'triggers/message-changed (not ready)',
    ];
    assert.deepEqual(
      lines.slice(0, 3).map(({ msg }) => msg),
      [
        `waiting for triggers/resync-due (BrokerNotConfigured), ${others}, ${source}`,
        `waiting for ${others}, ${source}`,
        `waiting for ${source}`,
      ],
    );
    assert.equal(mesh.rounds.length, 2, 'one at once, and one when the watches stand');
    assert.ok((mesh.rounds[1]?.at ?? 0) - ready >= 300);
    assert.ok(api.seen.every(({ method, url }) => method === 'GET' && url.includes('/namespaces/team-a/')));
  },
);

test('what a Broker accepts without a subscription is sent again until a resync is through', limit, async (t) => {
  const installation = await anInstallation(t);
  const mesh = await aMesh(t, installation);
  mesh.isSubscribed = false;
  const ended = job({ ...installation.env, K_SINK: mesh.sink });
  await asked(installation, 3);
  await sleep(300);
  mesh.begin();
  await sleep(1500);
  assert.equal(mesh.rounds.length, 0);
  mesh.isSubscribed = true;
  const told = (await ended).flatMap((line) => line['told'] ?? []);
  assert.equal(told[0], '500', 'the Broker is not ready');
  assert.equal(told.at(-1), '202');
  assert.ok(told.filter((one) => one === '202').length >= 2, 'the first was swallowed');
  const last = mesh.rounds.at(-1);
  assert.equal(installation.through, last?.id);
});

test('with a token it shows it, and each event is a round of its own', limit, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-first-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const token = join(folder, 'token');
  writeFileSync(token, 'of-the-job\n');
  const installation = await anInstallation(t);
  const broker = await serve(t, ({ headers }, _, count) => {
    if (count > 3) installation.through = String(headers['ce-id']);
    return { status: [503, 202][count - 1] ?? 202, body: '' };
  });
  await job({ ...installation.env, K_SINK: `${broker.url}/knudge/knudge`, K_SINK_TOKEN_FILE: token });
  const sent = broker.seen.map(({ method, url, headers }) => [method, url, headers['ce-type'], headers.authorization]);
  const each = ['POST', '/knudge/knudge', 'dev.knudge.resync.due', 'Bearer of-the-job'];
  assert.deepEqual(
    sent,
    sent.map(() => each),
  );
  const ids = broker.seen.map(({ headers }) => headers['ce-id']);
  assert.equal(new Set(ids).size, ids.length);
});

test('when it has been long enough it says what it waited for', limit, async (t) => {
  const { lacking, env } = await anInstallation(t);
  lacking.set('apiserversources/cluster-objects', 'DeploymentUnavailable');
  const ended = run(process.execPath, ['deploy/first-resync/send.mjs'], {
    env: { ...env, K_SINK: 'http://127.0.0.1:9', GIVE_UP_MS: '300' },
  });
  await assert.rejects(ended, ({ code, stdout }: { readonly code: number; readonly stdout: string }) => {
    assert.equal(code, 1);
    assert.match(
      linesOf(stdout).at(-1)?.['msg'] ?? '',
      /^gave up after \d+ s, waiting for apiserversources\/cluster-objects \(DeploymentUnavailable\)\./,
    );
    return true;
  });
});

test('the Job waits for all sources and for the Triggers of a resync, and may read them and nothing else', () => {
  const [, role] = manifest('deploy/first-resync/job.yaml');
  const job = textOf('deploy/first-resync/job.yaml');
  const listOf = (name: string): readonly string[] =>
    (new RegExp(`name: ${name}\\n *value: (.*)`).exec(job)?.[1] ?? '').split(' ');
  const parents = spec.triggers
    .filter(({ name }) => parentKinds.some(({ kind }) => name === `${kebabOf(kind)}-changed`))
    .map(({ name }) => name);
  assert.equal(parents.length, parentKinds.length);
  assert.deepEqual(listOf('TRIGGERS').toSorted(), [...parents, 'resync-due'].sort());
  assert.deepEqual([...listOf('SOURCES')].sort(), spec.sources.map(({ name }) => name).sort());
  assert.deepEqual(
    role?.rules?.map(({ resources, resourceNames = [], verbs }) => [...resources, ...verbs, ...resourceNames]),
    [
      ['triggers', 'get', ...listOf('TRIGGERS')],
      ['apiserversources', 'get', ...listOf('SOURCES')],
      ['leases', 'get', 'knudge-resync'],
    ],
  );
  assert.match(textOf('deploy/first-resync/send.mjs'), new RegExp(`SETTLE_MS = '${settleMs}'`), 'as after a restart');
});
