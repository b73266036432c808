import assert from 'node:assert/strict';
import { controllerOf } from '../../../packages/controller/domain/kube-object.ts';
import { childRoles } from '../../../resources/distributed-service/names.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import { openStage, type Scenario, type Stage } from './stage.ts';

const finalizer = 'example.com/mine';

async function kindsLeft({ arena, namespace }: Stage, name: string): Promise<readonly string[]> {
  const kinds = new Map(Object.values(childRoles).map(({ apiVersion, kind }) => [kind, apiVersion] as const));
  const found = await Promise.all(
    [...kinds, ['Pod', 'v1'] as const].map(([kind, apiVersion]) => arena.list(apiVersion, kind, namespace)),
  );
  return found.flat().flatMap(({ metadata }) => (metadata.name.startsWith(`frp-${name}`) ? [metadata.name] : []));
}

/** A service and a Message that run, and one service more where that is asked for. */
async function settle(stage: Stage, more: readonly string[] = []): Promise<void> {
  await stage.put(...cast.running(stage.place), cast.hello(stage.place));
  for (const name of more)
    await stage.put(cast.backend(stage.place, `${name}-1`, name), cast.web(stage.place, {}, { name }));
  for (const name of ['web', ...more]) await stage.runs(name);
  await stage.arena.processed(stage.namespace, 'hello');
}

/** What goes, goes with all that is its own, and nothing is made again. */
export const deletions: readonly Scenario[] = [
  {
    name: 'three namespaces with four services and three Messages are deleted: they go',
    play: async (stage) => {
      const stages = [stage, await openStage(stage.arena), await openStage(stage.arena)];
      await Promise.all(stages.map((one, at) => settle(one, at === 0 ? ['more'] : [])));
      const names = stages.map(({ namespace }) => namespace);
      for (const name of names) await stage.arena.remove({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      await stage.wait('no namespace is left', async () => {
        const found = await Promise.all(names.map((name) => stage.arena.get('v1', 'Namespace', { name })));
        const left = found.flatMap((one) => (one === undefined ? [] : [(one as { status?: unknown }).status]));
        return left.length === 0 || left;
      });
    },
  },
  {
    name: 'a service is replaced by force: the new one runs, and every child is its own',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place));
      await stage.runs();
      const web = cast.webRef(stage.place);
      const before = (await stage.get(web)).metadata.uid;
      await stage.remove(web);
      await stage.gone(web);
      await stage.put(cast.web(stage.place));
      await stage.runs();
      const { uid } = (await stage.get(web)).metadata;
      assert.notEqual(uid, before);
      for (const role of ['tunnel', 'config', 'endpoints', 'identity', 'balanced'] as const)
        assert.equal(controllerOf(await stage.child(role))?.uid, uid, role);
    },
  },
  {
    name: 'services deleted in the foreground and with what they own set free: nothing is left of either',
    play: async (stage) => {
      await settle(stage, ['free']);
      await stage.remove(cast.webRef(stage.place), 'Foreground');
      await stage.remove(cast.webRef(stage.place, 'free'), 'Orphan');
      for (const name of ['web', 'free']) {
        await stage.gone(cast.webRef(stage.place, name));
        await stage.wait(`nothing is left of ${name}`, async () => {
          const left = await kindsLeft(stage, name);
          return left.length === 0 || left;
        });
      }
    },
  },
  {
    name: 'the spec is edited while the service is being deleted: nothing is made again, and it goes',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place));
      await stage.runs();
      const [web, config] = [cast.webRef(stage.place), cast.childRef(stage.place, 'config')];
      await stage.patch(config, { metadata: { finalizers: [finalizer] } });
      await stage.remove(web);
      const [tunnel, balanced] = [cast.childRef(stage.place, 'tunnel'), cast.childRef(stage.place, 'balanced')];
      await stage.gone(tunnel);
      await stage.gone(balanced);
      await stage.setSpec({ expose: { remotePort: 7009 } });
      await stage.tells({ state: 'Terminating', Ready: 'Terminating' });
      assert.deepEqual([await stage.seen(tunnel), await stage.seen(balanced)], [undefined, undefined]);
      await stage.patch(config, { metadata: { finalizers: null } });
      await stage.gone(web);
      assert.deepEqual(await kindsLeft(stage, 'web'), []);
    },
  },
  {
    name: "somebody's finalizer holds a service whose clean-up is done: that is told, of the newest generation",
    play: async (stage) => {
      const web = cast.webRef(stage.place);
      await stage.put(cast.profile(stage.place), cast.backend(stage.place));
      await stage.put(cast.web(stage.place, {}, { finalizers: [finalizer] }));
      await stage.runs();
      await stage.remove(web);
      await stage.wait('only theirs is left', async () => {
        const { finalizers } = (await stage.get(web)).metadata;
        return finalizers?.join() === finalizer || finalizers;
      });
      await stage.wait('it is told', async () => {
        const words = await stage.words('Ready');
        return words === `Waiting for the finalizer ${finalizer} to go` || words;
      });
      await stage.setSpec({ expose: { remotePort: 7009 } });
      await stage.tells({ state: 'Terminating', Ready: 'Terminating' });
      assert.deepEqual(await kindsLeft(stage, 'web'), []);
    },
    afterwards: async (stage) => {
      await stage.patch(cast.webRef(stage.place), { metadata: { finalizers: null } });
      await stage.gone(cast.webRef(stage.place));
    },
  },
];
