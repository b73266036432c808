import type { DistributedService } from '../../domain/distributed-service.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { childName } from '../../domain/names.ts';
import { encodeBase64, textOf } from './key-pair.ts';

/** The key in the Secret below which the token stands. */
export const tokenKey = 'token';

/** The token by which the gate knows this service. A token that is there stays: it is made once and cannot be changed. */
export function identitySecret(
  { metadata }: DistributedService,
  live: KubeObject | undefined,
  newToken: () => string,
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: childName(metadata.name, 'identity'), namespace: metadata.namespace ?? '' },
    type: 'Opaque',
    immutable: true,
    data: { [tokenKey]: encodeBase64(textOf(live, tokenKey) ?? newToken()) },
  } as KubeObject;
}
