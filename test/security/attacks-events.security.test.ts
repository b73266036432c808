import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ChangeStem } from '../../functions/table.ts';
import { requestedType } from '../../src/domain/change.ts';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { distributedService, message, object, serverProfile } from '../build/objects.ts';
import { changeStems } from '../build/stems.ts';
import { hintsOf, mostReads } from '../functions/forged.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { pathOf } from '../kube/install.ts';
import { type Posted, postEvent } from '../kube/post.ts';
import { tenantBinding, tenantOf } from './tenant.ts';

/** An FRP server of this test alone. */
const server = 'flooded';

let arena: Arena;
let namespace: string;

/** Events come from the tests alone, to functions that are told they are in a cluster. */
before(async () => {
  const env = { K_SINK: 'http://127.0.0.1:9/', TUNNEL_TIMEOUT_MS: '0', KUBERNETES_SERVICE_HOST: '10.96.0.1' };
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
async function manyServices(): Promise<KubeObject> {
  const backends = { discovery: 'auto', port: 8080, replicas: 0 } as const;
  for (let at = 0; at < 7; at += 1) {
    const spec = { serverProfile: server, backends, expose: { remotePort: 20_000 + at } };
    await arena.settled(await arena.put(distributedService(`s${String(at)}`, spec, { namespace })));
  }
  const [domains, locations] = [
    Array.from({ length: 2 }, (_, at) => `h${String(at)}.flooded.example.com`),
    Array.from({ length: 32 }, (_, at) => `/p${String(at)}`),
  ];
  const endpoints = Array.from({ length: 256 }, (_, at) => ({ host: `backend-${String(at)}`, weight: 1 }));
  const large = distributedService(
    'large',
    {
      ...{ serviceType: 'http', serverProfile: server, expose: { domains, locations } },
      backends: { ...backends, discovery: 'manual', endpoints },
    },
    { namespace },
  );
  await arena.settled(await arena.put(large));
  return large;
}

/** The same lie, that names a profile and a service which are there. */
function ofWhatIsThere(hint: KubeObject): KubeObject {
  const labels = { ...hint.metadata.labels, 'frp.io/server-profile': server, 'frp.io/service': 's0' };
  const home = hint.metadata.namespace === arena.home ? arena.home : namespace;
  return { ...hint, metadata: { ...hint.metadata, namespace: home, labels } };
}

test('8: no forged event costs twenty reads, whatever it names; only a spec of its own makes it cost more', async (context) => {
  const large = await manyServices();
  for (const stem of changeStems) {
    let most = 0;
    for (const hint of hintsOf(stem).flatMap((one) => [one, ofWhatIsThere(one)])) {
      for (const type of ['resource.update', 'resource.delete']) {
        const { reads, writes } = costIn(await postEvent(urlOf(stem), hint, { type }));
        assert.equal(writes, 0, stem);
        most = Math.max(most, reads);
      }
    }
    context.diagnostic(`measured: ${stem}: ${String(most)} reads at most`);
    assert.ok(most < mostReads, `${stem}: ${String(most)} reads`);
  }
  // The event of finding 8: it asked for 331 reads, each time that it came.
  const [url, type] = [urlOf('distributed-service-changed'), requestedType];
  const own = costIn(await postEvent(url, large, { type }));
  context.diagnostic(`measured: 256 named backends and 64 paths: ${String(own.reads)} reads`);
  assert.ok(own.reads <= 256 + mostReads && own.writes === 0, JSON.stringify(own));
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
