import assert from 'node:assert/strict';
import type { Claim } from '../../../resources/distributed-service/claims/types.ts';
import { unlikeSpec } from '../../faults/oracles/readiness.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import { addressOf, endpointsOf, type Fields, type Live, type Scenario, type Stage } from './stage.ts';

/** It runs what its spec says now; its balanced Service and its tunnel are those that they were. */
async function changed(stage: Stage, spec: Fields): Promise<void> {
  const uids = async () =>
    [await stage.child('balanced'), await stage.child('tunnel')].map(({ metadata: { uid } }) => uid);
  const before = await uids();
  await stage.setSpec(spec);
  await stage.runs();
  assert.equal(unlikeSpec(await stage.child('config'), await stage.get(cast.webRef(stage.place))), undefined);
  const { metadata, status } = (await stage.child('tunnel')) as Live & { readonly status: Fields };
  assert.deepEqual([status['observedGeneration'], status['updatedReplicas']], [metadata.generation, 1]);
  assert.deepEqual(await uids(), before);
}

/** Pods that the selector of `cast.bySelector` finds. */
const shop = (stage: Stage) => cast.pod(stage.place, 'shop-1', { app: 'shop' });

/** The spec, the profile or the Pods change. */
export const changes: readonly Scenario[] = [
  {
    name: 'tcp becomes udp, http and tcp again: each time it runs that, with its backend',
    play: async (stage) => {
      await stage.put(cast.profile(stage.place, { subDomainHost: 'frps.example.com' }));
      await stage.put(cast.backend(stage.place), cast.web(stage.place));
      await stage.runs();
      await changed(stage, { serviceType: 'udp' });
      await changed(stage, { serviceType: 'http', expose: { remotePort: null, subdomain: 'web' } });
      await changed(stage, { serviceType: 'tcp', expose: { remotePort: 7001, subdomain: null } });
      assert.ok((await endpointsOf(stage)).includes(await addressOf(stage, 'web-1')));
    },
  },
  {
    name: 'another remotePort: Ready is said when it runs, nothing is told as repaired, and the old claim is released',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place));
      await stage.runs();
      await changed(stage, { expose: { remotePort: 7002 } });
      const all = (await stage.arena.list('frp.io/v1beta1', 'Claim', stage.place.controller)) as readonly Claim[];
      const claims = all.filter(({ spec }) => spec.namespace === stage.namespace);
      assert.deepEqual(claims.map(({ spec }) => `${spec.state} ${spec.value}`).sort(), ['Held 7002', 'Released 7001']);
      const { body } = await stage.arena.api('GET', `/apis/events.k8s.io/v1/namespaces/${stage.namespace}/events`);
      const reasons = (body as { readonly items: readonly { readonly reason: string }[] }).items.map(
        ({ reason }) => reason,
      );
      assert.ok(reasons.includes('Running'));
      assert.ok(!reasons.includes('Repaired'), reasons.join());
    },
  },
  {
    name: 'other labels in the selector: the Pods that they fit are the backends, and no others',
    play: async (stage) => {
      await stage.put(cast.profile(stage.place), shop(stage), cast.pod(stage.place, 'other-1', { app: 'other' }));
      await stage.put(cast.web(stage.place, cast.bySelector));
      await stage.runs();
      const { metadata } = await stage.child('backends');
      await stage.setSpec({ backends: { selector: { matchLabels: { app: 'other' } } } });
      const [then, now] = [await addressOf(stage, 'shop-1'), await addressOf(stage, 'other-1')];
      await stage.wait('the other Pod is the backend', async () => {
        const file = await endpointsOf(stage);
        return (file.includes(now) && !file.includes(then)) || file;
      });
      await stage.runs();
      assert.equal((await stage.child('backends')).metadata.uid, metadata.uid);
    },
  },
  {
    name: 'from a selector to auto, with the label put on the Pod afterwards: it runs with it, and the headless Service is gone',
    play: async (stage) => {
      await stage.put(cast.profile(stage.place), shop(stage), cast.web(stage.place, cast.bySelector));
      await stage.runs();
      await stage.setSpec({ backends: { discovery: 'auto', selector: null } });
      await stage.tells({ state: 'Updating', BackendsAvailable: 'NoBackendsFound' });
      await stage.gone(cast.childRef(stage.place, 'backends'));
      const labels = { 'frp.io/service': 'web' };
      await stage.patch(cast.refIn(stage.place, 'Pod', 'shop-1'), { metadata: { labels } });
      await stage.runs();
      assert.ok((await endpointsOf(stage)).includes(await addressOf(stage, 'shop-1')));
    },
  },
  {
    name: 'the server of a profile asks its gate no more: the identity goes, and the service runs with the shared token',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place));
      await stage.runs();
      const identity = cast.childRef(stage.place, 'identity');
      await stage.get(identity);
      const metadata = { name: 'frps-token', namespace: stage.namespace, labels: { 'frp.io/use': 'true' } };
      await stage.put({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { token: 'shared' } } as never);
      await stage.patch(cast.refIn(stage.place, 'ConfigMap', 'frps-default'), {
        data: { gate: 'false', tokenSecret: 'frps-token' },
      });
      await stage.gone(identity);
      await stage.wait('the tunnel mounts the shared token', async () =>
        JSON.stringify((await stage.child('tunnel')).spec).includes('frps-token'),
      );
      await stage.runs();
    },
  },
];
