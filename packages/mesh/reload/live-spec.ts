import { describe, type KubeObject, refOf } from '../../controller/domain/kube-object.ts';
import type { Fault, Manifest } from '../manifests/documents.ts';
import { typeOf } from '../manifests/order.ts';
import { specOf } from '../manifests/read-manifests.ts';
import type { MeshSpec } from '../mesh-spec.ts';

/** What the mesh follows while it runs: the API version and the kind of each. */
export const followedKinds = [
  { apiVersion: 'eventing.knative.dev/v1', kind: 'Trigger' },
  { apiVersion: 'sources.knative.dev/v1', kind: 'ApiServerSource' },
  { apiVersion: 'sources.knative.dev/v1', kind: 'ContainerSource' },
  { apiVersion: 'sources.knative.dev/v1', kind: 'PingSource' },
] as const;

const followedTypes: readonly string[] = followedKinds.map((one) => typeOf({ ...one, metadata: { name: '' } }));

export function isFollowed(object: KubeObject): boolean {
  return followedTypes.includes(typeOf(object));
}

/** What a mesh follows, and the faults of the objects that are left out for them. */
export interface LiveSpec {
  readonly spec: Pick<MeshSpec, 'triggers' | 'sources' | 'pings' | 'channels'>;
  readonly faults: readonly Fault[];
}

/** The Triggers and sources of an API, beside the other objects of the manifests. A wrong one is left out, and not the others for it. */
export function liveSpecOf(live: readonly KubeObject[], { objects }: MeshSpec, root: string): LiveSpec {
  const base = objects.filter((one) => !isFollowed(one)).map(asManifest);
  const faults: Fault[] = [];
  const good = live.map(asManifest).filter((one) => {
    const own: Fault[] = [];
    specOf([...base, one], { root, faults: own });
    faults.push(...own.map((fault) => fault.replace(':0: ', ': ')));
    return own.length === 0;
  });
  return { spec: specOf([...base, ...good], { root, faults: [] }), faults };
}

function asManifest(object: KubeObject): Manifest {
  return { object, placeOf: () => ({ file: describe(refOf(object)), line: 0 }) };
}
