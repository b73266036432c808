import assert from 'node:assert/strict';
import type { DistributedServiceSpec } from '../../../resources/distributed-service/types.ts';
import type { Place } from '../../faults/scenario.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import { addressOf, endpointsOf, type Scenario, type Stage } from './stage.ts';

const listed: Partial<DistributedServiceSpec> = {
  backends: { discovery: 'manual', replicas: 1, endpoints: [{ host: 'db', port: 8080, weight: 1 }] },
};

async function tunnelPodOf({ arena, namespace }: Stage): Promise<string> {
  const pods = await arena.list('v1', 'Pod', namespace);
  const own = pods.find(({ metadata }) => metadata.labels?.['frp.io/tunnel'] === 'web');
  return own?.metadata.name ?? assert.fail('there is no Pod of the tunnel');
}

const database = (place: Place) => cast.refIn(place, 'Service', 'db');

/** Backends that cannot be, or that are not there. */
export const backends: readonly Scenario[] = [
  {
    name: 'a selector fits the tunnel itself: by a label that somebody gave its Pod it is left out, by a label of Knudge it is refused',
    play: async (stage) => {
      await stage.put(cast.profile(stage.place), cast.pod(stage.place, 'shop-1', { app: 'shop' }));
      await stage.put(cast.web(stage.place, cast.bySelector));
      await stage.runs();
      const own = await tunnelPodOf(stage);
      await stage.patch(cast.refIn(stage.place, 'Pod', own), { metadata: { labels: { app: 'shop' } } });
      await stage.wait('it is told that the tunnel is none', async () => {
        const words = await stage.words('BackendsAvailable');
        return words.includes('is the tunnel of this service itself') || words;
      });
      const file = await endpointsOf(stage);
      assert.ok(file.includes(`"${await addressOf(stage, 'shop-1')}"`));
      assert.ok(!file.includes(`"${await addressOf(stage, own)}"`));
      await stage.runs();
      await stage.setSpec({ backends: { selector: { matchLabels: { app: null, 'frp.io/tunnel': 'web' } } } });
      await stage.tells({ state: 'Failed', ConfigurationValid: 'InvalidSpec' });
    },
  },
  {
    name: 'a Service with nobody behind it is no ready backend, and that is told',
    play: async (stage) => {
      await stage.put(cast.profile(stage.place), cast.plainService(stage.place, 'empty', { 'frp.io/service': 'web' }));
      await stage.put(cast.web(stage.place));
      await stage.tells({ state: 'Provisioning', BackendsAvailable: 'NoBackendsFound' });
      assert.match(await stage.words('BackendsAvailable'), /Service empty has no endpoint that is ready/);
      await stage.put(cast.pod(stage.place, 'empty-1', { app: 'empty' }));
      await stage.runs();
    },
  },
  {
    name: 'a listed Service is made again with another address: it is told that the resync finds it, and the next one does',
    play: async (stage) => {
      await stage.put(cast.profile(stage.place), cast.pod(stage.place, 'db-1', { app: 'db' }));
      await stage.put(cast.plainService(stage.place, 'db'));
      await stage.put(cast.web(stage.place, listed));
      await stage.wait('its Pod is behind it', async () => {
        await stage.resync(cast.webRef(stage.place));
        const { status } = (await stage.arena.service(stage.namespace, 'web')) ?? {};
        return status?.state === 'Running' || status?.conditions;
      });
      assert.match(await stage.words('BackendsAvailable'), /are seen at the next resync, not at once/);
      const before = (await stage.get(database(stage.place))).spec['clusterIP'];
      await stage.remove(database(stage.place));
      await stage.gone(database(stage.place));
      await stage.put(cast.plainService(stage.place, 'db'));
      const { clusterIP } = (await stage.get(database(stage.place))).spec;
      assert.notEqual(clusterIP, before);
      await stage.wait('Envoy gets the new address', async () => {
        await stage.resync(cast.webRef(stage.place));
        const file = await endpointsOf(stage);
        return (file.includes(`"${String(clusterIP)}"`) && !file.includes(`"${String(before)}"`)) || file;
      });
      await stage.resync(cast.webRef(stage.place));
      await stage.runs();
    },
  },
];
