import { ApiProblem, conflict, invalid } from '../http/problem.ts';
import type { Target } from '../http/route.ts';
import type { JsonObject } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { groupResource } from '../schema/kind.ts';
import { metadataOf } from './metadata.ts';

/** Throws 409 if a PUT names another uid; the sentence is that of the storage (measured on 1.35). */
export function insistOnUid(
  { kind, namespace, name }: Target,
  given: JsonObject,
  before: JsonObject | undefined,
): void {
  const { uid: wanted = '' } = metadataOf(given);
  const { uid = '' } = metadataOf(before);
  if (wanted === '' || wanted === uid || (before === undefined && !isCreatedByPut(kind))) return;
  const key = ['/registry', kind.plural, namespace, name].filter((step) => step !== '').join('/');
  const uids = `UID in precondition: ${String(wanted)}, UID in object meta: ${String(uid)}`;
  throw conflict(
    kind,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${uids}`,
  );
}

/** Kinds whose update has to name the version it is based on; measured on 1.35. */
const conditional = new Set(['customresourcedefinitions.apiextensions.k8s.io', 'leases.coordination.k8s.io']);

/** Throws 422 if a PUT must say which version it is based on and does not. */
export function insistOnVersion({ kind, name }: Target, given: JsonObject): void {
  const { resourceVersion = '' } = metadataOf(given);
  if (resourceVersion !== '' || !(kind.custom || conditional.has(groupResource(kind)))) {
    insistOnNumber(String(resourceVersion));
    return;
  }
  const message = 'Invalid value: 0: must be specified for an update';
  const cause = { reason: 'FieldValueInvalid', message, field: 'metadata.resourceVersion' };
  // Here the server names the resource; elsewhere it names the kind.
  throw invalid({ ...kind, kind: kind.plural }, name, [cause]);
}

function insistOnNumber(version: string): void {
  if (version === '' || /^\d+$/.test(version)) return;
  throw new ApiProblem(500, '', { message: `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax` });
}

/** Kinds that a PUT creates if they are missing; measured on 1.35. */
const createdByPut = new Set([
  ...['services', 'events', 'leases.coordination.k8s.io', 'events.events.k8s.io'],
  ...['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map((one) => `${one}.rbac.authorization.k8s.io`),
]);

export function isCreatedByPut(kind: Kind): boolean {
  return createdByPut.has(groupResource(kind));
}
