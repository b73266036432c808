import { controllerOf, type KubeObject, type OwnerReference } from '../domain/kube-object.ts';
import { annotations, labels, manager } from '../domain/names.ts';
import { canonical } from './canonical.ts';
import type { Given } from './resource.ts';

/** The labels of everything that a controller of this name makes for an owner. */
export function ownedLabels(owner: KubeObject, controller = manager): Readonly<Record<string, string>> {
  return { [labels.managedBy]: controller, [labels.ownerUid]: owner.metadata.uid ?? '' };
}

/** The child as it is written: labels, owner and the hash of all it should be. */
export function stamp<Child extends KubeObject>(
  child: Child,
  owner: KubeObject,
  { hash, controller }: Pick<Given, 'hash' | 'controller'>,
): Child {
  const owned = {
    ...child,
    metadata: {
      ...child.metadata,
      labels: { ...child.metadata.labels, ...ownedLabels(owner, controller) },
      ownerReferences: [ownerReference(owner)],
    },
  };
  const specHash = hash(canonical(owned));
  const withHash = { ...child.metadata.annotations, [annotations.specHash]: specHash };
  return { ...owned, metadata: { ...owned.metadata, annotations: withHash } };
}

export type Belonging = 'ours' | 'outgoing' | 'foreign';

/**
 * To which owner this object belongs. `ours`: this very owner's, also after somebody took the owner reference or the labels away.
 * `outgoing`: left over from an owner of the same name that is gone; the garbage collector removes it.
 * `foreign`: anything else, never to be touched.
 */
export function belongsTo(child: KubeObject, owner: KubeObject): Belonging {
  const controller = controllerOf(child);
  if (controller?.uid === owner.metadata.uid) return 'ours';
  if (controller !== undefined) return isNamesake(controller, owner) ? 'outgoing' : 'foreign';
  return child.metadata.labels?.[labels.ownerUid] === owner.metadata.uid ? 'ours' : 'foreign';
}

function isNamesake(reference: OwnerReference, owner: KubeObject): boolean {
  return reference.kind === owner.kind && reference.name === owner.metadata.name;
}

function ownerReference(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
