import { describe, type KubeObject } from '../../controller/domain/kube-object.ts';
import { timeOf } from '../../controller/domain/time.ts';
import type { Broker } from '../broker/ingress.ts';
import type { MeshParts } from '../mesh-parts.ts';
import { readyStatuses } from '../ready-statuses.ts';
import type { ClusterOfMesh } from '../start-cluster.ts';
import type { Sources } from '../start-sources.ts';
import type { MeshState } from '../state.ts';
import type { KeptStatus } from '../status-file.ts';
import type { LiveSpec } from './live-spec.ts';

/** The running mesh, as a reload changes it. */
export interface Reloadable {
  readonly parts: MeshParts;
  readonly cluster: ClusterOfMesh;
  readonly brokers: ReadonlyMap<string, Pick<Broker, 'follow'>>;
  readonly sources: Sources;
  readonly state: MeshState;
  /** The address of the ingress. */
  readonly ingress: string;
  readonly renew: () => void;
  readonly deliversBy: KeptStatus['deliversBy'];
}

type Followed = LiveSpec['spec'];

/** Brings Brokers and sources to what is wanted now, and reports what that changed. */
export function createSettle(mesh: Reloadable): (live: LiveSpec, objects: readonly KubeObject[]) => Promise<void> {
  const { report, spec } = mesh.parts;
  let before: Followed = spec;
  let delivering = spec.triggers;
  let known = '';
  return async ({ spec: now, faults }, objects) => {
    if (faults.join() !== known) {
      for (const text of faults) report({ kind: 'warning', about: 'not followed', text });
    }
    known = faults.join();
    const changed = changesOf(before, now);
    before = now;
    if (changed.length === 0) return;
    const isOfTriggers = changed.some(({ kind }) => kind === 'Trigger');
    delivering = [...mesh.brokers].flatMap(([name, broker]) => {
      const isFollowing = broker.follow(now.triggers);
      if (!isFollowing && isOfTriggers) report({ kind: 'warning', about: `Broker ${name}`, text: atNextStart });
      const those = isFollowing ? now.triggers : delivering;
      return those.filter((one) => `${one.namespace}/${one.broker}` === name);
    });
    mesh.deliversBy(delivering);
    await mesh.sources.follow(now);
    for (const { kind, name, is } of changed) report({ kind: 'reloaded', what: `${kind} ${name} ${is}` });
    await tellStatuses(now, objects, { ...mesh, changed });
  };
}

const atNextStart = 'its class keeps the Triggers of its start: restart npm start to deliver by those of now';

interface Change {
  readonly kind: string;
  readonly name: string;
  readonly is: 'is new' | 'has changed' | 'is gone';
}

function changesOf(before: Followed, now: Followed): readonly Change[] {
  return [
    ...changesIn('Trigger', before.triggers, now.triggers),
    ...changesIn('source', before.sources, now.sources),
    ...changesIn('PingSource', before.pings, now.pings),
  ];
}

type Named = Readonly<{ namespace: string; name: string }>;

function changesIn(kind: string, before: readonly Named[], now: readonly Named[]): readonly Change[] {
  const [old, young] = [textsOf(before), textsOf(now)];
  const gone = [...old.keys()]
    .filter((name) => !young.has(name))
    .map((name) => ({ kind, name, is: 'is gone' }) as const);
  const others = [...young].flatMap(([name, text]): readonly Change[] => {
    if (old.get(name) === text) return [];
    return [{ kind, name, is: old.has(name) ? 'has changed' : 'is new' }];
  });
  return [...gone, ...others];
}

function textsOf(all: readonly Named[]): ReadonlyMap<string, string> {
  return new Map(all.map((one) => [`${one.namespace}/${one.name}`, JSON.stringify(one)]));
}

/** A new Trigger or source is ready, as those of the start are. */
async function tellStatuses(
  now: Followed,
  objects: readonly KubeObject[],
  { cluster, parts, state, ingress, changed }: Reloadable & { readonly changed: readonly Change[] },
): Promise<void> {
  const names = new Set(changed.map(({ name }) => name));
  const fresh = objects.filter(({ metadata }) => names.has(`${metadata.namespace}/${metadata.name}`));
  const places = { spec: now, state, ingress, now: timeOf(Date.now() / 1000) };
  for (const { ref, status } of readyStatuses(fresh, places)) {
    await cluster.tell?.(ref, status).catch((error: Error) => {
      parts.report({ kind: 'warning', about: describe(ref), text: `its status cannot be written: ${error.message}` });
    });
  }
}
