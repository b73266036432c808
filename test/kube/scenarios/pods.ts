import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { DistributedServiceSpec } from '../../../resources/distributed-service/types.ts';
import { object } from '../../build/objects.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import { pathOf } from '../install.ts';
import { assertFewTries, helloFails, type Scenario, type Stage } from './stage.ts';

const listed: Partial<DistributedServiceSpec> = {
  backends: { discovery: 'manual', replicas: 1, endpoints: [{ host: '10.1.0.1', port: 8080, weight: 1 }] },
};

/** A kubelet that rejects what it gets, such as one whose processors are all taken. */
async function rejectPods({ arena, namespace }: Stage, signal: AbortSignal): Promise<void> {
  const rejected = { phase: 'Failed', reason: 'OutOfcpu', message: 'Node did not have enough resource: cpu' };
  while (!signal.aborted) {
    const pods = (await arena.list('v1', 'Pod', namespace)) as readonly (KubeObject & {
      status?: { phase?: string };
    })[];
    for (const { metadata, status } of pods) {
      if (status?.phase === 'Failed') continue;
      const path = `${pathOf('v1', 'Pod', metadata)}/status`;
      const conditions = [{ type: 'Ready', status: 'False' }];
      const body = { metadata: { uid: metadata.uid }, status: { ...rejected, conditions } };
      await arena.api('PATCH', path, { body, contentType: 'application/merge-patch+json' });
    }
    await sleep(20);
  }
}

/** Pods that do not come to run. */
export const pods: readonly Scenario[] = [
  {
    name: 'each Pod of a Message is rejected at once: two are made, then it waits and says why; when that is over the next resync makes it right',
    play: async (stage) => {
      const ending = new AbortController();
      const ended = rejectPods(stage, ending.signal);
      stage.begin(async () => {
        ending.abort();
        await ended;
      });
      await stage.put(cast.hello(stage.place));
      await helloFails(stage, 'PodEnded', /OutOfcpu.*Pods were made in a row/);
      await stage.knock(cast.helloRef(stage.place));
    },
    writesAtRest: 2,
    afterwards: async (stage) => {
      assertFewTries(stage, { resource: 'pods', verbs: ['create'] });
      await stage.end();
      await stage.resync(cast.helloRef(stage.place));
      await stage.arena.processed(stage.namespace, 'hello');
    },
  },
  {
    name: 'a quota lets no Pod be: the tunnel is told as blocked in the words of the API server, and runs when the quota is lifted',
    play: async (stage) => {
      const quota = object('ResourceQuota', 'none', {
        metadata: { namespace: stage.namespace },
        spec: { hard: { pods: '0' } },
      });
      await stage.put(quota);
      await stage.wait('the quota is in force', async () => {
        const found = await stage.get(cast.refIn(stage.place, 'ResourceQuota', 'none'));
        return (found as { status?: { hard?: unknown } }).status?.hard !== undefined;
      });
      await stage.put(cast.profile(stage.place), cast.web(stage.place, listed));
      await stage.tells({ state: 'Provisioning', TunnelAvailable: 'TunnelBlocked', Ready: 'TunnelBlocked' });
      assert.match(await stage.words('TunnelAvailable'), /exceeded quota: none/);
    },
    afterwards: async (stage) => {
      await stage.remove(cast.refIn(stage.place, 'ResourceQuota', 'none'));
      // Its controller tries again after some minutes by now, or when it is touched.
      for (const { metadata } of await stage.arena.list('apps/v1', 'ReplicaSet', stage.namespace)) {
        const annotations = { 'example.com/note': 'now' };
        await stage.patch(cast.refIn(stage.place, 'apps/v1 ReplicaSet', metadata.name), { metadata: { annotations } });
      }
      await stage.runs();
    },
  },
];
