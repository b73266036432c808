import { isLeaving } from '../../../packages/controller/decide/children.ts';
import { belongsTo } from '../../../packages/controller/decide/owned.ts';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { targetOf, type Write } from '../../../packages/controller/domain/plan.ts';
import { encodeBase64, textOf } from '../certificates/key-pair.ts';
import { annotations, childName } from '../names.ts';
import type { DistributedService } from '../types.ts';
import type { ServerProfile } from './server-profile.ts';

/** The key in the Secret below which the token stands. */
export const tokenKey = 'token';

/**
 * The token by which the gate knows this service. A token that is there stays: it is made once and cannot be changed. For another
 * server, or a profile of another namespace, there is another one: the operator of a server has seen the token that was shown to it.
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
 * By which the gate knows the token, which has no right to read a Secret: a hash of the one that stands when these writes are done.
 * Undefined where there is none, or it is another's, or on its way out.
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

/** Whether the token was made for another server than that of the profile. One that an older version made says no server. */
export function isOfAnotherServer(live: KubeObject | undefined, profile: ServerProfile): boolean {
  const server = serverOf(profile);
  return (live?.metadata.annotations?.[annotations.server] ?? server) !== server;
}

/** What makes a server another one to whom a token must not be shown. */
export function serverOf({ configMap, name, address, port }: ServerProfile): string {
  return `${configMap.namespace}/${name} at ${address}:${String(port)}`;
}
