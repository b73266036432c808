import type { AtRest } from '../../packages/controller/decide/resource.ts';
import { type ObjectRef, refOf } from '../../packages/controller/domain/kube-object.ts';
import { labels } from '../../packages/controller/domain/names.ts';
import type { Query } from '../../packages/controller/domain/plan.ts';
import { type ChildRole, childName, childRoles, cleanupFinalizer } from './names.ts';
import { problemOf } from './spec/problem.ts';
import type { DistributedService } from './types.ts';

/**
 * The children of a service whose status speaks of its present spec: two lists by the label of all that is ours, and by name what they
 * are not in. The identity is taken for the one whose digest the status has: it cannot be changed, and that it is gone is an event that
 * has all read. Undefined where the spec has news, where the service goes, and where somebody else has one of the names, whom no list of
 * ours would show.
 */
export function restOf(owner: DistributedService): AtRest | undefined {
  const { metadata, spec, status } = owner;
  if (metadata.uid === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  if (metadata.finalizers?.includes(cleanupFinalizer) !== true) return undefined;
  if (status?.observedGeneration !== metadata.generation || problemOf(spec) !== undefined) return undefined;
  if (status?.conditions?.some(({ reason }) => reason === 'NameConflict')) return undefined;
  const { enabled, autoGenerate } = spec.security.mtls;
  const list = (kind: string): Query => ({
    what: 'list',
    apiVersion: 'v1',
    kind,
    namespace: metadata.namespace ?? '',
    labelSelector: `${labels.ownerUid}=${metadata.uid ?? ''}`,
  });
  const named = (role: ChildRole): Query => ({ what: 'object', ref: childRef(owner, role) });
  const isTold = status?.identityDigest !== undefined;
  const secrets = [...(isTold ? [] : [named('identity')]), ...(enabled && autoGenerate ? [named('tls')] : [])];
  return {
    queries: [list('ConfigMap'), list('Service'), named('tunnel'), ...secrets],
    asTold: isTold ? ['identity' satisfies ChildRole] : [],
  };
}

function childRef(owner: DistributedService, role: ChildRole): ObjectRef {
  const { namespace, name } = refOf(owner);
  return { ...childRoles[role], namespace, name: childName(name, role) };
}
