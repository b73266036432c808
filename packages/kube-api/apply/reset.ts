import type { Kind } from '../schema/kind.ts';
import { type FieldSet, noFields, setOf } from './field-set.ts';

/** The metadata that `/status` resets, by kind; measured on kube-apiserver 1.35. */
const metadataOfStatus: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['labels'],
  Pod: ['deletionTimestamp', 'ownerReferences'],
};

/** Fields that a write to the object or to a subresource cannot change, so that no manager owns them by it. */
export function resetFields({ kind, custom, hasStatus }: Kind, subresource: string): FieldSet {
  if (subresource === '') return hasStatus ? setOf([['f:status']]) : noFields;
  if (subresource !== 'status') return noFields;
  if (kind === 'CustomResourceDefinition') return setOf([['f:spec'], ['f:metadata']]);
  const metadata = custom ? [] : (metadataOfStatus[kind] ?? []);
  return setOf([['f:spec'], ...metadata.map((field) => ['f:metadata', `f:${field}`])]);
}

/** Fields that every writer writes and no manager owns. */
export const strippedFields: FieldSet = setOf([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((field) => ['f:metadata', `f:${field}`]),
]);
