import { badRequest } from '../http/problem.ts';
import type { JsonObject } from '../json.ts';

/** The user that sends a request, as admission policies and reviews see it. */
export interface User {
  readonly username: string;
  readonly groups: readonly string[];
  /** Empty for all but a ServiceAccount. */
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The one user of the embedded API, who has the token of its kubeconfig. */
export const administrator: User = {
  username: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
};

/** The controllers in this process. */
export const controllers: User = { username: 'system:kube-controller-manager', groups: ['system:authenticated'] };

/** A ServiceAccount by its namespace, name and uid. */
export function accountUser(namespace: string, name: string, uid: string): User {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

/** As userInfo of an admission review, without what is empty. */
export function infoOf({ username, uid = '', groups, extra = {} }: User): JsonObject {
  return {
    username,
    ...(uid !== '' && { uid }),
    groups,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

type Headers = Readonly<Record<string, string>>;

/** Whom the request is made for: with `Impersonate-User` and the like somebody else than who sends it. Throws 400 for groups alone. */
export function actingUser(user: User, headers: Headers): User {
  const username = headers['impersonate-user'] ?? '';
  const given = headers['impersonate-group'] ?? '';
  if (username === '') {
    const isOther = given !== '' || Object.keys(headers).some((name) => name.startsWith('impersonate-'));
    if (isOther) throw badRequest('requested impersonation of groups, a uid or extras without impersonating a user');
    return user;
  }
  // Node joins header lines of one name with a comma and a space.
  const groups = given === '' ? groupsOf(username) : given.split(', ');
  const uid = headers['impersonate-uid'] ?? '';
  return { username, groups: withAuthenticated(username, groups), ...(uid !== '' && { uid }) };
}

/** The groups of a ServiceAccount follow from its name. */
function groupsOf(username: string): readonly string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(username) ?? [];
  return namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

function withAuthenticated(username: string, groups: readonly string[]): readonly string[] {
  const own = username === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return groups.includes(own) ? groups : [...groups, own];
}
