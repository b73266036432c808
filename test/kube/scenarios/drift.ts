import assert from 'node:assert/strict';
import type { ChildRole } from '../../../resources/distributed-service/names.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import type { Scenario, Stage } from './stage.ts';

const squatted = { 'frpc.json': 'mine', 'envoy.json': 'mine' };

async function editData(stage: Stage, role: ChildRole, file: string): Promise<void> {
  const { metadata, data } = await stage.child(role);
  await stage.patch(cast.childRef(stage.place, role), { data: { [file]: 'mine', 'theirs.txt': 'theirs' } });
  await stage.wait(`${file} is as it was`, async () => (await stage.child(role)).data[file] === data[file]);
  const now = await stage.child(role);
  assert.equal(now.data['theirs.txt'], 'theirs', 'what Knudge does not name is left');
  assert.equal(now.metadata.uid, metadata.uid);
}

/** What somebody writes into the children of a service that runs, or has under their names. */
export const drift: readonly Scenario[] = [
  {
    name: 'the data of both ConfigMaps is edited: it is brought back, and a key more is left',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place));
      await stage.runs();
      await editData(stage, 'config', 'frpc.json');
      await editData(stage, 'endpoints', 'eds.json');
      await stage.runs();
    },
  },
  {
    name: 'the balanced Service becomes a NodePort and the tunnel gets three replicas: both are brought back',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place));
      await stage.runs();
      await stage.patch(cast.childRef(stage.place, 'balanced'), { spec: { type: 'NodePort' } });
      await stage.patch(cast.childRef(stage.place, 'tunnel'), { spec: { replicas: 3 } });
      await stage.wait('both are as they were', async () => {
        const [{ spec: balanced }, { spec: tunnel }] = [await stage.child('balanced'), await stage.child('tunnel')];
        return (balanced['type'] === 'ClusterIP' && tunnel['replicas'] === 1) || [balanced['type'], tunnel['replicas']];
      });
      await stage.runs();
    },
  },
  {
    name: 'the tunnel is paused and the port changed: the pause goes, and the new port is rolled out',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place));
      await stage.runs();
      await stage.patch(cast.childRef(stage.place, 'tunnel'), { spec: { paused: true } });
      await stage.setSpec({ expose: { remotePort: 7003 } });
      await stage.runs();
      assert.equal((await stage.child('tunnel')).spec['paused'] ?? false, false);
      assert.match((await stage.child('config')).data['frpc.json'] ?? '', /7003/);
    },
  },
  {
    name: 'the status of a living service says Terminating: it is Running again',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place));
      await stage.runs();
      const after = await stage.patch(cast.webRef(stage.place), { status: { state: 'Terminating' } }, '/status');
      assert.match(JSON.stringify(after), /"state":"Terminating"/);
      await stage.runs();
    },
  },
  {
    name: 'files of somebody else lie under the names of ours: no tunnel is made that mounts them, until they have gone',
    play: async (stage) => {
      const theirs = (['config', 'identity'] as const).map((role) => cast.childRef(stage.place, role));
      const [config, identity] = theirs;
      assert.ok(config && identity);
      for (const ref of theirs) {
        const metadata = { name: ref.name, namespace: stage.namespace };
        const { apiVersion, kind } = ref;
        const content = kind === 'Secret' ? { stringData: squatted } : { data: squatted };
        await stage.put({ apiVersion, kind, metadata, ...content } as never);
      }
      const before = await Promise.all(theirs.map(stage.get));
      await stage.put(...cast.running(stage.place));
      await stage.tells({ state: 'Failed', ConfigurationValid: 'NameConflict', TunnelAvailable: 'TunnelMissing' });
      assert.equal(await stage.seen(cast.childRef(stage.place, 'tunnel')), undefined);
      assert.deepEqual(await Promise.all(theirs.map(stage.get)), before);
      for (const ref of theirs) await stage.remove(ref);
      await stage.resync(cast.webRef(stage.place));
      await stage.runs();
    },
  },
];
