import type { Target } from '../http/route.ts';
import type { User } from '../identity/user.ts';
import { infoOf } from '../identity/user.ts';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';

/** A write before it is stored, as admission policies judge it. */
export interface Attempt {
  readonly target: Target;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Undefined for a deletion. */
  readonly object: JsonObject | undefined;
  /** Undefined for a creation. */
  readonly oldObject: JsonObject | undefined;
  readonly user: User;
  readonly dryRun: boolean;
}

/** The name of the object, also if the server has just made it. */
export function nameOf({ target, object, oldObject }: Attempt): string {
  const { name = target.name } = objectAt(object ?? oldObject, 'metadata');
  return String(name);
}

export function isNamespace({ kind }: Pick<Target, 'kind'>): boolean {
  return kind.group === '' && kind.plural === 'namespaces';
}

/** The namespace of the request; a Namespace is in itself. */
export function namespaceOf(attempt: Attempt): string {
  return isNamespace(attempt.target) ? nameOf(attempt) : attempt.target.namespace;
}

/** `request` in expressions; `matched` is the version of the kind that the policy judges. */
export function requestOf(attempt: Attempt, matched: Kind): JsonObject {
  const { target, operation, user, dryRun } = attempt;
  const [name, namespace] = [nameOf(attempt), namespaceOf(attempt)];
  return {
    kind: kindOf(matched),
    resource: groupVersionResource(matched),
    ...(target.subresource !== '' && { subResource: target.subresource, requestSubResource: target.subresource }),
    requestKind: kindOf(target.kind),
    requestResource: groupVersionResource(target.kind),
    name,
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: infoOf(user),
    dryRun,
    options: { kind: `${operation.charAt(0)}${operation.slice(1).toLowerCase()}Options`, apiVersion: 'meta.k8s.io/v1' },
  };
}

function kindOf({ group, version, kind }: Kind): JsonObject {
  return { group, version, kind };
}

function groupVersionResource({ group, version, plural: resource }: Kind): JsonObject {
  return { group, version, resource };
}
