import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { KeyPair } from '../../../packages/issuing/types.ts';
import { childName } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { encodeBase64 } from './key-pair.ts';

/** The Secret with the certificate and key of a service's tunnel. One write sets both, so that they always fit each other. */
export function leafSecret({ metadata }: DistributedService, leaf: KeyPair): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: childName(metadata.name, 'tls'), namespace: metadata.namespace ?? '' },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': encodeBase64(leaf.certificate), 'tls.key': encodeBase64(leaf.key) },
  } as KubeObject;
}
