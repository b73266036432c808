import assert from 'node:assert/strict';
import { bareCopy } from '../../../packages/controller/testing/calls/bare-copy.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import { tcpCheck } from '../../faults/scenarios/field-row.ts';
import type { Fields, Live, Scenario } from './stage.ts';

interface Container {
  readonly name: string;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly startupProbe?: object;
}

function podOf({ spec }: Live): Fields & { readonly containers: readonly Container[] } {
  const { template } = spec as unknown as { readonly template: { readonly spec: Fields } };
  return template.spec as Fields & { readonly containers: readonly Container[] };
}

function probesOf(tunnel: Live): readonly object[] {
  return podOf(tunnel).containers.map(({ name, livenessProbe: live, readinessProbe: ready, startupProbe: start }) => ({
    name,
    live,
    ready,
    start,
  }));
}

const livenessProbe = { httpGet: { path: '/mine', port: 18_001 } };

/** Fields of children that another manager has applied too, or that only it sets. */
export const strays: readonly Scenario[] = [
  {
    name: 'another manager applies the tunnel and the balanced Service with more in them: what breaks goes, and later what is wanted no more',
    play: async (stage) => {
      const loadBalancing = { algorithm: 'round-robin', healthCheck: tcpCheck } as const;
      await stage.put(...cast.running(stage.place, { loadBalancing }));
      await stage.runs();
      const [tunnel, balanced] = [await stage.child('tunnel'), await stage.child('balanced')];
      const containers = podOf(tunnel).containers.map((one) => ({ ...one, livenessProbe }));
      const { template } = tunnel.spec as unknown as { readonly template: Fields };
      const probed = { ...template, spec: { ...podOf(tunnel), containers } };
      await stage.put(bareCopy({ ...tunnel, spec: { ...tunnel.spec, template: probed } } as Live));
      await stage.put(bareCopy(balanced));
      await stage.wait('no probe of theirs is left', async () => {
        const left = podOf(await stage.child('tunnel')).containers.filter((one) => one.livenessProbe !== undefined);
        return left.length === 0 || left;
      });
      await stage.setSpec({ loadBalancing: { healthCheck: null }, backends: { port: 8081 } });
      await stage.runs();
      const now = [await stage.child('tunnel'), await stage.child('balanced')] as const;
      assert.deepEqual(
        now.map(({ metadata }) => metadata.uid),
        [tunnel, balanced].map(({ metadata }) => metadata.uid),
      );
      const { ports } = now[1].spec as { readonly ports: readonly { readonly port: number }[] };
      assert.deepEqual(
        ports.map(({ port }) => port),
        [8081],
      );
      await stage.put(cast.backend(stage.place, 'plain-1', 'plain'), cast.web(stage.place, {}, { name: 'plain' }));
      await stage.runs('plain');
      const plain = await stage.get(cast.refIn(stage.place, 'apps/v1 Deployment', 'frp-plain'));
      assert.deepEqual(probesOf(now[0]), probesOf(plain), 'as of one that nobody else has applied');
    },
  },
  {
    name: 'addresses from outside go; a node selector that fits no node is left, and told in the words of the scheduler',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place));
      await stage.runs();
      await stage.patch(cast.childRef(stage.place, 'balanced'), { spec: { externalIPs: ['192.0.2.1'] } });
      await stage.wait('nothing is reached from outside', async () => {
        const { externalIPs } = (await stage.child('balanced')).spec;
        return externalIPs === undefined || externalIPs;
      });
      const selecting = (nodeSelector: Fields): Fields => ({ spec: { template: { spec: { nodeSelector } } } });
      await stage.patch(cast.childRef(stage.place, 'tunnel'), selecting({ disk: 'none' }));
      await stage.tells({ state: 'Updating', TunnelAvailable: 'TunnelBlocked' });
      assert.match(await stage.words('TunnelAvailable'), /node selector|node affinity/);
      await stage.patch(cast.childRef(stage.place, 'tunnel'), selecting({ disk: null }));
      await stage.runs();
    },
  },
];
