import assert from 'node:assert/strict';
import { serverProfile } from '../../build/objects.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import { type Fields, openStage, type Scenario, type Stage } from './stage.ts';

type Role = 'balanced' | 'backends' | 'tunnel';

/** The children are those that they were, with their addresses. */
async function staysWhile(stage: Stage, roles: readonly Role[], act: () => Promise<unknown>): Promise<void> {
  const identities = () =>
    Promise.all(
      roles.map(async (role) => {
        const { metadata, spec } = await stage.child(role);
        return [role, metadata.uid, spec['clusterIP']];
      }),
    );
  const before = await identities();
  await act();
  await stage.runs();
  assert.deepEqual(await identities(), before);
}

async function portsOf(stage: Stage, role: 'balanced' | 'backends'): Promise<readonly Fields[]> {
  return (await stage.child(role)).spec['ports'] as readonly Fields[];
}

/** How often the tunnel of the second was changed: each time would be a restart. */
async function attempts({ child }: Stage): Promise<readonly unknown[]> {
  const [tunnel, config] = [await child('tunnel'), await child('config')];
  return [tunnel.metadata.generation, config.metadata.resourceVersion];
}

/** Ports change in place: nothing is deleted, and nobody else gets what is claimed. */
export const ports: readonly Scenario[] = [
  {
    name: 'another backends.port: the balanced Service stays, with its address',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place));
      await stage.runs();
      await staysWhile(stage, ['balanced', 'tunnel'], () => stage.setSpec({ backends: { port: 8081 } }));
      assert.deepEqual(
        (await portsOf(stage, 'balanced')).map(({ port }) => port),
        [8081],
      );
    },
  },
  {
    name: 'another port of backends found by a selector: both Services stay',
    play: async (stage) => {
      await stage.put(cast.profile(stage.place), cast.pod(stage.place, 'shop-1', { app: 'shop' }));
      await stage.put(cast.web(stage.place, cast.bySelector));
      await stage.runs();
      await staysWhile(stage, ['balanced', 'backends', 'tunnel'], () => stage.setSpec({ backends: { port: 8081 } }));
      assert.equal((await portsOf(stage, 'backends')).length, 1);
    },
  },
  {
    name: 'of two rivals for a port in two namespaces the first changes its backends.port: the second never takes what it lost',
    play: async (stage) => {
      const second = await openStage(stage.arena);
      const server = `shared-${stage.namespace}`;
      const shared = serverProfile(server);
      await stage.put({ ...shared, metadata: { ...shared.metadata, namespace: stage.place.controller } });
      const spec = { serverProfile: server, expose: { remotePort: 17_301 } };
      await stage.put(cast.backend(stage.place), cast.web(stage.place, spec));
      await stage.runs();
      await second.put(cast.backend(second.place), cast.web(second.place, spec));
      const lost = { state: 'Failed', ConfigurationValid: 'ConflictingExposure', TunnelAvailable: 'TunnelUp' };
      await second.tells(lost);
      const before = await attempts(second);
      await staysWhile(stage, ['balanced', 'tunnel'], () => stage.setSpec({ backends: { port: 8081 } }));
      await second.resync(cast.webRef(second.place));
      await second.tells(lost);
      assert.deepEqual(await attempts(second), before);
    },
  },
  {
    name: 'udp becomes tcp and udp again: no child is made anew, and none listens to both',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place, { serviceType: 'udp' }));
      await stage.runs();
      for (const serviceType of ['tcp', 'udp']) {
        await staysWhile(stage, ['balanced', 'tunnel'], () => stage.setSpec({ serviceType }));
        const protocols = (await portsOf(stage, 'balanced')).map(({ protocol }) => protocol);
        assert.deepEqual(protocols, [serviceType.toUpperCase()]);
      }
    },
  },
];
