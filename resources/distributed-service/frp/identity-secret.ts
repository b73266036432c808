import { isLeaving } from '../../../packages/controller/decide/children.ts';
import { belongsTo } from '../../../packages/controller/decide/owned.ts';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { targetOf, type Write } from '../../../packages/controller/domain/plan.ts';
import { encodeBase64, textOf } from '../certificates/key-pair.ts';
import { annotations, childName } from '../names.ts';
import type { DistributedService } from '../types.ts';
import type { ServerProfile } from './server-profile.ts';

/** The key of the token in the Secret. */
export const tokenKey = 'token';

/**
 * The Secret with the token by which the gate knows this service. Knudge makes the token once and keeps it: the Secret is immutable. For
 * another server, or a profile of another namespace, Knudge makes another one, because the operator of the old server has seen the token.
 */
export function identitySecret(
  { metadata }: DistributedService,
  live: KubeObject | undefined,
  { profile, newToken }: { readonly profile: ServerProfile; readonly newToken: () => string },
): KubeObject {
  const token = isOfAnotherServer(live, profile) ? undefined : textOf(live, tokenKey);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: childName(metadata.name, 'identity'),
      namespace: metadata.namespace ?? '',
      annotations: { [annotations.server]: serverOf(profile) },
    },
    type: 'Opaque',
    immutable: true,
    data: { [tokenKey]: encodeBase64(token ?? newToken()) },
  } as KubeObject;
}

/**
 * The digest of the token that exists after these writes. The gate compares it, because it has no right to read a Secret. Undefined if there
 * is no token, or its Secret belongs to somebody else or is being deleted.
 */
export function identityDigest(
  { owner, live }: { readonly owner: DistributedService; readonly live: KubeObject | undefined },
  writes: readonly Write[],
  hash: (text: string) => string,
): string | undefined {
  const name = childName(owner.metadata.name, 'identity');
  const write = writes.find((one) => targetOf(one, refOf(owner)).name === name);
  const stays = live !== undefined && belongsTo(live, owner) === 'ours' && !isLeaving(live) ? live : undefined;
  const made = write !== undefined && 'object' in write ? write.object : undefined;
  const token = textOf(write === undefined ? stays : made, tokenKey);
  return token === undefined ? undefined : hash(token);
}

/** Whether the token was made for another server than that of the profile. A token of an older version names no server, and counts for this one. */
export function isOfAnotherServer(live: KubeObject | undefined, profile: ServerProfile): boolean {
  const server = serverOf(profile);
  return (live?.metadata.annotations?.[annotations.server] ?? server) !== server;
}

/** Whether the token was made for a server of the profile of this name; undefined if there is no token, or it names no server. */
export function isTokenOf(
  live: KubeObject | undefined,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): boolean | undefined {
  return live?.metadata.annotations?.[annotations.server]?.startsWith(`${namespace}/${name} at `);
}

/** The server of a profile in one text. A token that was made for another text must not be shown to it. */
export function serverOf({ configMap, name, address, port }: ServerProfile): string {
  return `${configMap.namespace}/${name} at ${address}:${String(port)}`;
}
