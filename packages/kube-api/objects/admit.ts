import { ApiProblem, alreadyExists, badRequest, forbidden, notFound } from '../http/problem.ts';
import type { ServerContext } from '../http/request.ts';
import type { Target } from '../http/route.ts';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { groupResource } from '../schema/kind.ts';
import { isBeingDeleted, metadataOf } from './metadata.ts';

/** Throws 403 if the definition of a custom resource is being deleted. */
export function insistOnLivingKind({ store }: ServerContext, kind: Kind, name: string): void {
  const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
  const crd = kind.custom ? store.get({ resource: definitions, namespace: '', name: groupResource(kind) }) : undefined;
  if (crd === undefined || !isBeingDeleted(crd)) return;
  throw forbidden(kind, name, 'create not allowed while custom resource definition is terminating');
}

/** Throws 400 if an object names another namespace than its path. */
export function insistOnNamespace({ kind, namespace }: Target, given: unknown): void {
  if (given === '' || given === namespace || !kind.namespaced) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** The checks of the admission plugin NamespaceLifecycle. */
export function insistOnLivingNamespace({ store }: ServerContext, { kind, namespace }: Target, name: string): void {
  if (!kind.namespaced) return;
  const found = store.get({ resource: 'namespaces', namespace: '', name: namespace });
  if (found === undefined) throw notFound({ group: '', plural: 'namespaces', kind: 'Namespace' }, namespace);
  if (!isBeingDeleted(found)) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const problem = forbidden(kind, name, why);
  const message = `namespace ${namespace} is being terminated`;
  const causes = [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }];
  throw new ApiProblem(403, 'Forbidden', { message: problem.message, details: { ...problem.details, causes } });
}

/** The checks of the admission plugin ServiceAccount; the default account may come after the first Pod of a namespace. */
export function insistOnAccount({ store }: ServerContext, { kind, namespace }: Target, object: JsonObject): void {
  if (kind.group !== '' || kind.plural !== 'pods') return;
  const account = String(objectAt(object, 'spec')['serviceAccountName'] ?? 'default');
  if (account === 'default' || store.get({ resource: 'serviceaccounts', namespace, name: account }) !== undefined)
    return;
  const { name = '' } = metadataOf(object);
  const why = `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`;
  throw forbidden(kind, String(name), why);
}

/** 409 for a name that is in use, or not free yet. */
export function taken({ kind }: Target, name: string, present: JsonObject): ApiProblem {
  const problem = alreadyExists(kind, name);
  if (!isBeingDeleted(present)) return problem;
  return new ApiProblem(409, problem.reason, {
    message: `object is being deleted: ${problem.message}`,
    ...(problem.details && { details: problem.details }),
  });
}
