import type { DistributedService } from '../../domain/distributed-service.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { annotations, childName } from '../../domain/names.ts';
import type { ServerProfile } from '../../domain/server-profile.ts';
import { encodeBase64, textOf } from './key-pair.ts';

/** The key in the Secret below which the token stands. */
export const tokenKey = 'token';

/**
 * The token by which the gate knows this service. A token that is there stays: it is made once and cannot be changed. For another
 * server, or a profile of another namespace, there is another one: whoever runs a server has seen what was shown to it.
 */
export function identitySecret(
  { metadata }: DistributedService,
  live: KubeObject | undefined,
  { profile, newToken }: { readonly profile: ServerProfile; readonly newToken: () => string },
): KubeObject {
  const server = serverOf(profile);
  // One that an older version made says no server.
  const isForIt = (live?.metadata.annotations?.[annotations.server] ?? server) === server;
  const token = isForIt ? textOf(live, tokenKey) : undefined;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: childName(metadata.name, 'identity'),
      namespace: metadata.namespace ?? '',
      annotations: { [annotations.server]: server },
    },
    type: 'Opaque',
    immutable: true,
    data: { [tokenKey]: encodeBase64(token ?? newToken()) },
  } as KubeObject;
}

/** What makes a server another one to whom a token must not be shown. */
export function serverOf({ configMap, name, address, port }: ServerProfile): string {
  return `${configMap.namespace}/${name} at ${address}:${String(port)}`;
}
