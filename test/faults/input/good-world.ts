import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { issuer } from '../../../packages/issuing/issuer.ts';
import { object, serverProfile } from '../../build/objects.ts';

/** An FRP server profile by a name of its own, with whatever a test wants to be different. */
export function profile(
  name: string,
  data: Readonly<Record<string, string>> = {},
  configMap = `frps-${name}`,
): KubeObject {
  const { data: good, ...built } = serverProfile(name, data) as KubeObject & { readonly data: object };
  return {
    ...built,
    metadata: { name: configMap, labels: built.metadata.labels ?? {} },
    data: { ...good, ...data },
  } as KubeObject;
}

/** A Secret with a certificate of somebody's own and its key; expired where it ends before now. */
export async function ownSecret(name: string, notAfter = '2099-01-01T00:00:00Z'): Promise<KubeObject> {
  const pair = await issuer.authority({ commonName: 'somebody', notBefore: '2020-01-01T00:00:00Z', notAfter });
  return secret(name, { 'tls.crt': pair.certificate, 'tls.key': pair.key }, 'kubernetes.io/tls');
}

export function secret(name: string, data: Readonly<Record<string, string>>, type = 'Opaque'): KubeObject {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
  const built = object('Secret', name, { type, data: Object.fromEntries(encoded) });
  return { ...built, metadata: { name, labels: { 'frp.io/use': 'true' } } };
}
