import type { Kind } from '../schema/kind.ts';
import { type FieldSet, noFields, setOf } from './field-set.ts';

/** What `/status` puts back of metadata, by kind; measured on kube-apiserver 1.35. */
const metadataOfStatus: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['labels'],
  Pod: ['deletionTimestamp', 'ownerReferences'],
};

/** What a write to the object or to a subresource cannot change, and so nobody owns by it. */
export function resetFields({ kind, custom, hasStatus }: Kind, subresource: string): FieldSet {
  if (subresource === '') return hasStatus ? setOf([['f:status']]) : noFields;
  if (subresource !== 'status') return noFields;
  if (kind === 'CustomResourceDefinition') return setOf([['f:spec'], ['f:metadata']]);
  const metadata = custom ? [] : (metadataOfStatus[kind] ?? []);
  return setOf([['f:spec'], ...metadata.map((field) => ['f:metadata', `f:${field}`])]);
}

/** What everybody writes and nobody owns. */
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
