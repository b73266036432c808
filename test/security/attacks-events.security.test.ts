import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ChangeStem } from '../../functions/table.ts';
import { requestedType } from '../../packages/controller/domain/change.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import { distributedService, message, object, serverProfile } from '../build/objects.ts';
import { changeStems } from '../build/stems.ts';
import { hintsOf, mostReads } from '../functions/forged.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { nowhere } from '../kube/functions.ts';
import { pathOf } from '../kube/install.ts';
import { type Posted, postEvent } from '../kube/post.ts';
import { tenantBinding, tenantOf } from './tenant.ts';

/** An FRP server of this test alone. */
const server = 'flooded';

let arena: Arena;
let namespace: string;

/** Events come from the tests alone, to functions whose environment says that they are in a cluster. */
before(async () => {
  const env = { K_SINK: nowhere, TUNNEL_TIMEOUT_MS: '0', KUBERNETES_SERVICE_HOST: '10.96.0.1' };
  arena = await openArena({ stems: changeStems, withSource: false, env });
  namespace = await arena.namespace('forged');
  const profile = serverProfile(server);
  await arena.put({ ...profile, metadata: { ...profile.metadata, namespace: arena.home } });
  await arena.put(tenantBinding(namespace));
});
after(() => arena.close());

const urlOf = (stem: ChangeStem): string => arena.functions.of(stem).url;

function costIn({ status, outcome, body }: Posted): { reads: number; writes: number } {
  assert.equal(status, 204, body);
  const [, reads, writes] = /reads=(\d+); writes=(\d+)/.exec(outcome) ?? assert.fail(outcome);
  return { reads: Number(reads), writes: Number(writes) };
}

/** What was asked of the API server by a function so far. */
async function asked(stem: ChangeStem): Promise<number> {
  const text = await (await fetch(`${urlOf(stem)}/metrics`)).text();
  const counts = [...text.matchAll(/^knudge_api_requests_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
  return counts.reduce((sum, count) => sum + count, 0);
}

const bomb = Object.fromEntries(
  Array.from({ length: 10_000 }, (_, at) => [`claim.frp.io/${at.toString(36)}`, 'held'] as const),
);

/** A Service with ten thousand labels that says it is a child of a service which is not there. */
function labelBomb(): KubeObject {
  const owner = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', name: 'nothere', uid: 'x' };
  return object('Service', 'frp-nothere-balanced', {
    metadata: {
      namespace,
      labels: { ...bomb, 'knudge.dev/owner-uid': 'x' },
      ownerReferences: [{ ...owner, controller: true }],
    },
    spec: { ports: [{ port: 80 }] },
  });
}

test('4: an event with 10,000 labels about what is not there costs one read', async () => {
  const before = await asked('service-changed');
  assert.deepEqual(costIn(await postEvent(urlOf('service-changed'), labelBomb())), { reads: 1, writes: 0 });
  assert.equal((await asked('service-changed')) - before, 1);
});

test('4: a tenant who makes a Service with 10,000 labels causes two reads at most', async () => {
  const bombed = labelBomb();
  const { status, body } = await arena.api('POST', pathOf('v1', 'Service', { namespace }), {
    body: bombed,
    as: tenantOf(namespace),
  });
  assert.equal(status, 201, JSON.stringify(body));
  const { reads, writes } = costIn(await postEvent(urlOf('service-changed'), body as KubeObject));
  assert.ok(reads <= 2 && writes === 0, `${String(reads)} reads, ${String(writes)} writes`);
});

/** Seven services of one profile that all namespaces share, and one with all that a spec can name. */
async function manyServices(): Promise<{ readonly small: KubeObject; readonly large: KubeObject }> {
  const backends = { discovery: 'auto', port: 8080, replicas: 0 } as const;
  const users = Array.from({ length: 7 }, (_, at) =>
    distributedService(
      `s${String(at)}`,
      { serverProfile: server, backends, expose: { remotePort: 20_000 + at } },
      { namespace },
    ),
  );
  for (const user of users) await arena.settled(await arena.put(user));
  const [domains, locations] = [
    Array.from({ length: 2 }, (_, at) => `h${String(at)}.flooded.example.com`),
    Array.from({ length: 32 }, (_, at) => `/p${String(at)}`),
  ];
  const endpoints = Array.from({ length: 256 }, (_, at) => ({ host: `backend-${String(at)}`, weight: 1 }));
  const large = distributedService(
    'large',
    {
      serviceType: 'http',
      serverProfile: server,
      expose: { domains, locations },
      backends: { ...backends, discovery: 'manual', endpoints },
    },
    { namespace },
  );
  await arena.settled(await arena.put(large));
  const [small = large] = users;
  return { small, large };
}

/** The same lie, that names a profile and a service which are there. */
function ofWhatIsThere(hint: KubeObject): KubeObject {
  const labels = { ...hint.metadata.labels, 'frp.io/server-profile': server, 'frp.io/service': 's0' };
  const home = hint.metadata.namespace === arena.home ? arena.home : namespace;
  return { ...hint, metadata: { ...hint.metadata, namespace: home, labels } };
}

async function withoutProfile(): Promise<number> {
  const services = (await arena.list('frp.io/v1beta1', 'DistributedService', '')) as readonly DistributedService[];
  return services.filter(({ status }) => status?.serverProfile === undefined).length;
}

/** What the dearest of these events costs. */
async function mostOf(stem: ChangeStem, hints: readonly KubeObject[]): Promise<number> {
  let most = 0;
  for (const hint of hints) {
    for (const type of ['resource.update', 'resource.delete']) {
      const { reads, writes } = costIn(await postEvent(urlOf(stem), hint, { type }));
      assert.equal(writes, 0, stem);
      most = Math.max(most, reads);
    }
  }
  return most;
}

test('8: no forged event costs twenty reads, but for a look at what it names and is there; a spec of its own alone makes that cost more', async (context) => {
  const { small, large } = await manyServices();
  // Each time that it came the event of finding 8 cost 331 reads.
  const [url, type] = [urlOf('distributed-service-changed'), requestedType];
  const [look, largest] = [
    costIn(await postEvent(url, small, { type })),
    costIn(await postEvent(url, large, { type })),
  ];
  context.diagnostic(
    `measured: a service ${String(look.reads)} reads, one of 256 named backends ${String(largest.reads)}`,
  );
  assert.ok(look.reads < mostReads && look.writes === 0, JSON.stringify(look));
  assert.ok(largest.reads <= 256 + mostReads && largest.writes === 0, JSON.stringify(largest));
  // Other tests may have left some: who has no profile at all is looked at when one is gone, or so an event says.
  const waiting = await withoutProfile();
  for (const stem of changeStems) {
    const [gone, there] = [await mostOf(stem, hintsOf(stem)), await mostOf(stem, hintsOf(stem).map(ofWhatIsThere))];
    context.diagnostic(`measured: ${stem}: ${String(gone)} reads at most, ${String(there)} of what is there`);
    assert.ok(gone < mostReads * (1 + waiting), `${stem}: ${String(gone)} reads`);
    assert.ok(there < mostReads + look.reads, `${stem}: ${String(there)} reads of what is there`);
  }
});

test('8: a dry run without a token is refused, and asks nothing of the API server', async () => {
  const before = await asked('message-changed');
  const hello = message('hello', 'x', { namespace });
  for (const query of ['?dryRun=All', '?dryRun=All&x=1', '?x=1&dryRun=All']) {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => postEvent(urlOf('message-changed'), hello, { query })),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [403], query);
    assert.match(answers[0]?.body ?? '', /sender-not-allowed/);
  }
  assert.equal(await asked('message-changed'), before);
});

test('8: what a forged event says of an object is not believed: neither spec nor status changes', async () => {
  const stored = await arena.put(message('believed', 'x', { namespace }));
  await arena.settled(stored);
  const before = await arena.message(namespace, 'believed');
  const lies = { ...message('believed', 'forged', { namespace }), status: { phase: 'Failed', message: 'forged' } };
  for (const type of ['resource.add', 'resource.update', 'resource.delete', requestedType]) {
    const { writes } = costIn(await postEvent(urlOf('message-changed'), lies as KubeObject, { type }));
    assert.equal(writes, 0, type);
  }
  assert.deepEqual(await arena.message(namespace, 'believed'), before);
});
