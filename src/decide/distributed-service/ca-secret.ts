import type { KubeObject } from '../../domain/kube-object.ts';
import { labels, manager } from '../../domain/names.ts';
import type { KeyPair } from '../../domain/ports.ts';
import { authorityRef } from './inputs.ts';
import { encodeBase64 } from './key-pair.ts';

/**
 * The certificate authority of a server profile, beside the profile and gone with it. It is created once and can
 * never be changed: two instances that make one at the same time both go on with the one that was stored.
 */
export function authoritySecret(profile: KubeObject, name: string, authority: KeyPair): KubeObject {
  const { apiVersion, kind, namespace, name: secretName } = authorityRef(profile.metadata.namespace ?? '', name);
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: profile.metadata.name, uid: profile.metadata.uid ?? '' };
  return {
    apiVersion,
    kind,
    metadata: {
      name: secretName,
      namespace,
      labels: { [labels.managedBy]: manager, [labels.authority]: name },
      ownerReferences: [owner],
    },
    type: 'kubernetes.io/tls',
    immutable: true,
    data: { 'tls.crt': encodeBase64(authority.certificate), 'tls.key': encodeBase64(authority.key) },
  } as KubeObject;
}
