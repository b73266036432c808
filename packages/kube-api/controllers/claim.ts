import type { KubeObject, ObjectRef } from '../../controller/domain/kube-object.ts';
import { refOf } from '../../controller/domain/kube-object.ts';
import { selects } from '../checks/workloads.ts';
import type { Client } from '../client.ts';
import type { JsonObject } from '../json.ts';
import { controllerReference, partOf } from './controller.ts';

type Of = Pick<ObjectRef, 'apiVersion' | 'kind'>;

interface Claim {
  readonly kind: Of;
  /** Which objects may be taken over, besides having the labels and no controller. */
  readonly isWanted?: (object: KubeObject) => boolean;
}

/**
 * Takes over the objects that the owner's selector selects and that have no controller, and releases those that it controls and no
 * longer selects (as the controllers of kube-controller-manager 1.35 do).
 */
export function claim(owner: KubeObject, client: Client, { kind, isWanted = () => true }: Claim): void {
  const { namespace = '', uid } = owner.metadata;
  for (const object of client.list({ ...kind, namespace })) {
    const references = object.metadata.ownerReferences ?? [];
    const controller = references.find((one) => one.controller === true);
    const isChosen = chooses(owner, object);
    if (controller?.uid === uid && !isChosen) {
      write(
        object,
        references.filter((one) => one !== controller),
        client,
      );
    }
    const isGoing = object.metadata.deletionTimestamp !== undefined;
    if (controller === undefined && isChosen && !isGoing && isWanted(object)) {
      write(object, [...references, controllerReference(owner)], client);
    }
  }
}

/** The owners of a kind that would take over an object without a controller. */
export function claimants(object: KubeObject, client: Client, kind: Of): readonly ObjectRef[] {
  const { namespace = '', ownerReferences = [] } = object.metadata;
  if (ownerReferences.some((one) => one.controller === true)) return [];
  return client
    .list({ ...kind, namespace })
    .filter((owner) => chooses(owner, object))
    .map(refOf);
}

function chooses(owner: KubeObject, { metadata }: KubeObject): boolean {
  return selects(partOf(owner, 'spec', 'selector'), (metadata.labels ?? {}) as JsonObject);
}

function write(object: KubeObject, references: readonly object[], client: Client): void {
  const metadata = { ...object.metadata, ownerReferences: references } as KubeObject['metadata'];
  client.update({ ...object, metadata });
}
