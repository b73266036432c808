import { controllerOf, type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import { keyOfObject, parentsIn, roleKeysOf } from './accessors.ts';

/** What a tunnel uses at rest and should not: files that are somebody else's, and itself as its backend. */
export function misledIn({ resting }: Trace): readonly string[] {
  return parentsIn(resting).flatMap((parent) => {
    const tunnel = resting.find((one) => one.kind === 'Deployment' && controllerOf(one)?.uid === parent.metadata.uid);
    const foreign = tunnel === undefined ? [] : mountsOf(tunnel, resting).filter((one) => isForeign(one, parent));
    const own = resting.filter(({ kind, metadata }) => kind === 'Pod' && isTunnelOf(metadata, parent));
    const looped = own.filter((pod) => endpointsOf(parent).includes(pick(pod, 'status', 'podIP')));
    return [
      ...foreign.map(
        (one) => `${nameOf(refOf(one))} is somebody else's, and the tunnel of ${nameOf(refOf(parent))} runs it`,
      ),
      ...looped.map((pod) => `${nameOf(refOf(parent))} has its own tunnel ${nameOf(refOf(pod))} as a backend`),
    ];
  });
}

/** What its Pods have mounted. */
function mountsOf(tunnel: KubeObject, objects: readonly KubeObject[]): readonly KubeObject[] {
  const listed = pick(tunnel, 'spec', 'template', 'spec', 'volumes');
  if (pick(tunnel, 'spec', 'replicas') === 0 || !Array.isArray(listed)) return [];
  const names = new Set(
    listed.flatMap((volume) => [
      `ConfigMap ${String(pick(volume, 'configMap', 'name'))}`,
      `Secret ${String(pick(volume, 'secret', 'secretName'))}`,
    ]),
  );
  const { namespace } = tunnel.metadata;
  return objects.filter((one) => one.metadata.namespace === namespace && names.has(`${one.kind} ${one.metadata.name}`));
}

/** Under the name of a child: what a person supplies has a name of its own. */
function isForeign(object: KubeObject, parent: KubeObject): boolean {
  if (!roleKeysOf(refOf(parent)).has(keyOfObject(object))) return false;
  const controller = controllerOf(object);
  if (controller !== undefined) return controller.uid !== parent.metadata.uid;
  return object.metadata.labels?.[labels.ownerUid] !== parent.metadata.uid;
}

function isTunnelOf({ labels: own = {} }: KubeObject['metadata'], parent: KubeObject): boolean {
  return own[labels.tunnel] === parent.metadata.name && own[labels.ownerUid] === parent.metadata.uid;
}

function endpointsOf(parent: KubeObject): readonly unknown[] {
  const endpoints = pick(parent, 'status', 'endpoints');
  return Array.isArray(endpoints) ? endpoints.map((one) => pick(one, 'address')) : [];
}
