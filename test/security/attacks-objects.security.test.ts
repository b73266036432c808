import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { object, serverProfile } from '../build/objects.ts';
import * as cast from '../faults/scenarios/cast.ts';
import { administratorsBinding, labelled } from '../kube/admission.ts';
import { administrator } from '../kube/admission-rows.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { pathOf } from '../kube/install.ts';
import { openStage, type Stage } from '../kube/scenarios/stage.ts';
import { workloads } from '../kube/scenarios/workloads.ts';
import { until } from '../kube/until.ts';
import type { AuditedWrite } from '../kube/writes.ts';
import { tenantBinding, tenantOf } from './tenant.ts';

let arena: Arena;
/** Those whose last state is one of rest, and how many writes there were when it was come to. */
const atRest: Stage[] = [];
before(async () => {
  arena = await openArena();
  await arena.put(administratorsBinding);
});
after(() => arena.close());

/** Scales the tunnel of `web` to three whenever it is not, as another controller would, until it is told to stop. */
function fight({ arena: { api }, place, namespace }: Stage) {
  const over = new AbortController();
  const path = pathOf('apps/v1', 'Deployment', { namespace, name: cast.childRef(place, 'tunnel').name });
  const scale = { body: { spec: { replicas: 3 } }, contentType: 'application/merge-patch+json' };
  const loop = async (): Promise<void> => {
    for (; !over.signal.aborted; await sleep(50)) {
      const { body } = await api('GET', path);
      if ((body as { spec?: { replicas?: number } }).spec?.replicas !== 3) await api('PATCH', path, scale);
    }
  };
  const done = loop();
  return async (): Promise<void> => {
    over.abort();
    await done;
  };
}

const isApply = ({ resource, subresource, verb, code }: AuditedWrite): boolean =>
  resource === 'deployments' && subresource === undefined && verb === 'patch' && code < 300;

describe('a spec at rest makes no endless loop of writes', { concurrency: 4 }, () => {
  for (const { name, play } of workloads) {
    it(`5: ${name}`, async () => {
      const stage = await openStage(arena);
      await play(stage);
      atRest.push(stage);
    });
  }

  it('5: who scales the tunnel back each time is let be after twelve tries, and the service says so', async () => {
    const stage = await openStage(arena);
    await stage.put(...cast.running(stage.place));
    await stage.runs();
    const before = stage.writes().length;
    const end = fight(stage);
    try {
      await stage.tells({ state: 'Failed', Ready: 'Flapping' });
      // Several instances write at a time: of two that race one is taken.
      const taken = stage.writes().slice(before).filter(isApply);
      assert.ok(taken.length >= 8 && taken.length <= 16, `${String(taken.length)} applies`);
      assert.match(await stage.words('Ready'), /spec\.replicas is 3 instead of 1/);
      const then = stage.writes().filter(isApply).length;
      await sleep(10_000);
      assert.ok(stage.writes().filter(isApply).length - then <= 2, 'slowly from then on');
    } finally {
      await end();
    }
  });
});

it('5: then nothing is written for ten seconds', async () => {
  assert.equal(atRest.length, workloads.length);
  const count = () => atRest.map((stage) => stage.writes().length);
  const before = count();
  await sleep(10_000);
  assert.deepEqual(count(), before);
});

const child = { 'knudge.dev/owner-uid': 'x', 'app.kubernetes.io/managed-by': 'knudge' };

/** A Deployment as a tenant makes it, with the labels of a child of ours. */
function miner(owners: readonly object[]): KubeObject {
  const labels = { app: 'miner' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
  return object('apps/v1 Deployment', 'miner', {
    metadata: { labels: child, ownerReferences: owners as never },
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  });
}

describe('an object that a tenant makes look like a child of ours can be deleted', { concurrency: 4 }, () => {
  async function open(): Promise<{ namespace: string; path: string; make: (one: KubeObject) => Promise<void> }> {
    const namespace = await arena.namespace('frozen');
    await arena.put(tenantBinding(namespace));
    const make = async (one: KubeObject): Promise<void> => {
      const body = { ...one, metadata: { ...one.metadata, namespace } };
      const call = { body, as: tenantOf(namespace) };
      await until('the role is known', async () => {
        const answer = await arena.api('POST', pathOf(one.apiVersion, one.kind, { namespace }), call);
        return answer.status === 201 || answer;
      });
    };
    return { namespace, path: pathOf('apps/v1', 'Deployment', { namespace, name: 'miner' }), make };
  }

  for (const [who, as] of [
    ['an administrator', administrator],
    ['a member of system:masters', { user: 'root', groups: ['system:masters'] }],
  ] as const) {
    it(`6: ${who} changes and deletes what has the labels of a child and no owner`, async () => {
      const { path, make } = await open();
      await make(miner([]));
      assert.equal((await arena.api('PATCH', path, { ...labelled('a', 'b'), as })).status, 200);
      assert.equal((await arena.api('DELETE', path, { as })).status, 200);
    });
  }

  it('6: what says that it has an owner which is not there goes by itself', async () => {
    const { path, make } = await open();
    await make(
      miner([{ apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', name: 'no', uid: 'x', controller: true }]),
    );
    await until('it is gone', async () => (await arena.api('GET', path)).status === 404, 90);
  });

  it('6: a ConfigMap of the cluster that a tenant labels so is still changed by others', async () => {
    const { namespace } = await open();
    const path = pathOf('v1', 'ConfigMap', { namespace, name: 'kube-root-ca.crt' });
    const patch = (labels: object, as: typeof administrator) =>
      arena.api('PATCH', path, { body: { metadata: { labels } }, contentType: 'application/merge-patch+json', as });
    await until('it is labelled', async () => {
      const { status, body } = await patch(child, tenantOf(namespace));
      return status === 200 || body;
    });
    assert.equal((await patch({ a: 'b', 'knudge.dev/owner-uid': null }, administrator)).status, 200);
  });
});

describe('who may not read a Secret gets nothing out of it', { concurrency: 4 }, () => {
  const mtls = { enabled: true, autoGenerate: false, secretName: 'foreign' };
  const foreign = (stage: Stage) =>
    cast.inside(stage.place, object('Secret', 'foreign', { data: { ...cast.suppliedData('one'), token: 'eA==' } }));

  it('12: a Secret that nobody has marked is not mounted because mtls.secretName says it', async () => {
    const stage = await openStage(arena);
    await stage.put(foreign(stage), ...cast.running(stage.place, { security: { mtls } }));
    await stage.tells({ state: 'Failed', CertificatesReady: 'SecretNotForUse' });
    assert.equal(await stage.seen(cast.childRef(stage.place, 'tunnel')), undefined);
  });

  it('12: nor because tokenSecret of a profile says it', async () => {
    const stage = await openStage(arena);
    const profile = cast.profile(stage.place, { gate: 'false', tokenSecret: 'foreign' });
    await stage.put(foreign(stage), profile, cast.backend(stage.place), cast.web(stage.place));
    await stage.tells({ state: 'Failed', ConfigurationValid: 'TokenSecretNotForUse' });
    assert.equal(await stage.seen(cast.childRef(stage.place, 'tunnel')), undefined);
  });

  it('12: a profile of the namespace that has the name of a shared one gets another token, and so does the shared one then', async () => {
    const stage = await openStage(arena);
    const name = `shared-${stage.namespace.slice(-8)}`;
    const shared = serverProfile(name);
    await stage.put({ ...shared, metadata: { ...shared.metadata, namespace: arena.home } });
    await stage.put(cast.backend(stage.place), cast.web(stage.place, { serverProfile: name }));
    await stage.runs();
    const tokens = [(await stage.child('identity')).data['token']];
    const isNew = () =>
      stage.wait('there is another token', async () => {
        const { data } = await stage.child('identity');
        if (tokens.includes(data['token'])) return `the token of ${String(tokens.length)}`;
        return tokens.push(data['token']) > 0;
      });
    const own = cast.profile(stage.place, { address: 'frps.example.net' }, name);
    await stage.put(own);
    await isNew();
    await stage.remove({ ...own, namespace: stage.namespace, name: own.metadata.name });
    await isNew();
    assert.equal(new Set(tokens).size, 3);
  });
});
