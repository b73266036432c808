import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cast from '../scenarios/cast.ts';
import { inRealWorld, type RealWorld } from './real-world.ts';

const given = (place: RealWorld['place']) => [cast.profile(place), cast.backend(place)];

/** A refusal of the API server that lasts until somebody lifts it. */
interface Row {
  readonly what: string;
  readonly reason: string;
  readonly forbid: (world: RealWorld) => Promise<unknown>;
  readonly lift: (world: RealWorld) => Promise<unknown>;
}

const quota = '/api/v1/namespaces';
const policies = '/apis/admissionregistration.k8s.io/v1';

const rows: readonly Row[] = [
  {
    what: 'W9: a ResourceQuota that leaves no room',
    reason: 'QuotaExceeded',
    forbid: async ({ ask, place }) => {
      const path = `${quota}/${place.namespace}/resourcequotas`;
      const metadata = { name: 'tight' };
      await ask('POST', path, { metadata, spec: { hard: { 'count/deployments.apps': '0' } } });
      // Until its controller has counted, the quota refuses nothing or everything.
      await until(async () => {
        const { status } = await ask('GET', `${path}/tight`);
        return JSON.stringify(status ?? {}).includes('count/deployments.apps');
      });
    },
    lift: ({ ask, place }) => ask('DELETE', `${quota}/${place.namespace}/resourcequotas/tight`),
  },
  {
    what: 'W10: a ValidatingAdmissionPolicy that denies Deployments',
    reason: 'AdmissionDenied',
    forbid: async ({ ask, place }) => {
      const name = `no-deployments-${place.namespace}`;
      const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] };
      const validations = [{ expression: 'false', message: 'no Deployments today' }];
      const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': place.namespace } };
      const matchConstraints = { resourceRules: [rule], namespaceSelector };
      await ask('POST', `${policies}/validatingadmissionpolicies`, {
        metadata: { name },
        spec: { failurePolicy: 'Fail', matchConstraints, validations },
      });
      await ask('POST', `${policies}/validatingadmissionpolicybindings`, {
        metadata: { name },
        spec: { policyName: name, validationActions: ['Deny'] },
      });
      await until(() => isDenied({ ask, place }));
    },
    lift: async ({ ask, place }) => {
      const name = `no-deployments-${place.namespace}`;
      await ask('DELETE', `${policies}/validatingadmissionpolicybindings/${name}`);
      await ask('DELETE', `${policies}/validatingadmissionpolicies/${name}`);
      await until(async () => !(await isDenied({ ask, place })));
    },
  },
];

for (const { what, reason, forbid, lift } of rows) {
  test(`${what} is told, tried at each resync only, and over when it is lifted`, async () => {
    await inRealWorld({ given }, async (world) => {
      const { place, user, settle, resync, condition, state, refusals, see, restful } = world;
      await forbid(world);
      await user.create(cast.web(place, {}));
      await settle();
      assert.equal(await condition('ConfigurationValid'), `False ${reason}`);
      assert.equal(await state(), 'Failed');
      const { length } = refusals();
      assert.ok(length <= 4, refusals().join(', '));
      await resync();
      assert.ok(refusals().length - length <= 2, refusals().slice(length).join(', '));
      assert.doesNotMatch(JSON.stringify((await see(cast.webRef(place))).status), /token/i);
      await lift(world);
      await resync();
      await resync();
      assert.equal(await state(), 'Running');
      await restful();
    });
  });
}

test('W10: a LimitRange that denies the Pod of a Message is told, and over when it is lifted', async () => {
  const parents = (place: RealWorld['place']) => [cast.helloRef(place)];
  await inRealWorld({ parents }, async ({ place, ask, user, settle, resync, condition, refusals, restful }) => {
    const path = `/api/v1/namespaces/${place.namespace}/limitranges`;
    const limits = [{ type: 'Container', min: { cpu: '64' } }];
    await ask('POST', path, { metadata: { name: 'large-only' }, spec: { limits } });
    await user.create(cast.hello(place));
    await settle();
    assert.equal(await condition('Ready', cast.helloRef(place)), 'False AdmissionDenied');
    const { length } = refusals();
    await resync();
    assert.ok(refusals().length - length <= 2, refusals().slice(length).join(', '));
    await ask('DELETE', `${path}/large-only`);
    await resync();
    await resync();
    assert.equal(await condition('Ready', cast.helloRef(place)), 'True PodReady');
    await restful();
  });
});

test('W10: Pods of ours meet the restricted Pod Security standard: none is denied', async () => {
  await inRealWorld({ given }, async (world) => {
    const { place, ask, user, settle, resync, state, condition } = world;
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const path = `/api/v1/namespaces/${place.namespace}`;
    await ask('MERGE', path, { metadata: { labels } });
    await user.create(cast.web(place, cast.generated));
    await user.create(cast.hello(place));
    await settle();
    await resync();
    assert.equal(await state(), 'Running');
    assert.equal(await condition('Ready', cast.helloRef(place)), 'True PodReady');
  });
});

test('W11: in a namespace that is being deleted nothing is made, and the finalizer comes off all the same', async () => {
  await inRealWorld({ given: (place) => [...given(place), cast.web(place)] }, async (world) => {
    const { place, ask, user, settle, resync, find, refusals, writes } = world;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: place.namespace };
    // Somebody's finalizer keeps a ConfigMap, so that the namespace stays a while.
    await user.patch(cast.refIn(place, 'ConfigMap', 'frps-default'), {
      metadata: { finalizers: ['example.com/hold'] },
    });
    await ask('DELETE', `/api/v1/namespaces/${place.namespace}`);
    const before = writes().length;
    await settle();
    for (let ticks = 0; ticks < 4 && (await find(cast.webRef(place))) !== undefined; ticks += 1) await resync();
    assert.equal(await find(cast.webRef(place)), undefined);
    const created = [...writes().slice(before), ...refusals()].filter((write) => write.startsWith('create'));
    assert.ok(created.length <= 4, created.join(', '));
    await user.patch(cast.refIn(place, 'ConfigMap', 'frps-default'), { metadata: { finalizers: null } });
    await until(async () => (await find(namespace)) === undefined, 40);
  });
});

async function isDenied({ ask, place }: Pick<RealWorld, 'ask' | 'place'>): Promise<boolean> {
  const path = `/apis/apps/v1/namespaces/${place.namespace}/deployments?dryRun=All`;
  try {
    await ask('POST', path, cast.workload(place, 0, { name: 'probe' }));
    return false;
  } catch {
    return true;
  }
}

async function until(isSo: () => Promise<boolean>, seconds = 20): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, `not within ${String(seconds)} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
