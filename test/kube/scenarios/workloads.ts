import assert from 'node:assert/strict';
import type { DistributedServiceSpec } from '../../../resources/distributed-service/types.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import type { Scenario } from './stage.ts';

function scaling(name: string, replicas: number): Partial<DistributedServiceSpec> {
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name } as const;
  return { backends: { discovery: 'auto', port: 8080, replicas, workloadRef } };
}

const app = (place: { readonly namespace: string }) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: place.namespace,
  name: 'app',
});

/** What a service scales. */
export const workloads: readonly Scenario[] = [
  {
    name: 'two services name one workload: the older scales it once, the younger says so, and who scales it afterwards is let be',
    play: async (stage) => {
      await stage.put(cast.profile(stage.place), cast.workload(stage.place, 1));
      await stage.put(cast.web(stage.place, scaling('app', 2)));
      await stage.runs();
      const expose = { remotePort: 7002 };
      await stage.put(cast.web(stage.place, { ...scaling('app', 4), expose }, { name: 'web2' }));
      await stage.tells({ state: 'Failed', ConfigurationValid: 'WorkloadConflict' }, 'web2');
      const { metadata, spec } = await stage.get(app(stage.place));
      assert.deepEqual([spec['replicas'], metadata.generation], [2, 2], 'it was scaled once');
      await stage.patch(app(stage.place), { spec: { replicas: 3 } });
      await stage.wait('the third replica is a backend', async () => {
        const { status } = (await stage.arena.service(stage.namespace, 'web')) ?? {};
        return status?.activeEndpoints === 3 || status?.activeEndpoints;
      });
      assert.match(await stage.words('BackendsAvailable'), /has 3 replicas and was asked for 2/);
      await stage.runs();
    },
  },
  {
    name: 'a service names its own tunnel as its workload: it is refused, and the tunnel has one replica',
    play: async (stage) => {
      await stage.put(cast.profile(stage.place), cast.backend(stage.place));
      await stage.put(cast.web(stage.place, scaling('frp-web', 2)));
      await stage.tells({ state: 'Failed', ConfigurationValid: 'WorkloadConflict', TunnelAvailable: 'TunnelUp' });
      assert.equal((await stage.child('tunnel')).spec['replicas'], 1);
    },
  },
];
