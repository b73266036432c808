import { createHash } from 'node:crypto';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { timeOf } from '../../controller/domain/time.ts';
import { issuer } from '../../issuing/issuer.ts';
import type { KeyPair } from '../../issuing/types.ts';

/** Of a Secret: it gets a certificate for these names, with commas between. Of a ConfigMap: `ca.crt` becomes the authority's. */
export const certificateAnnotation = 'knudge.dev/local-certificate';

interface WithData extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const days = 24 * 60 * 60;

/**
 * Does what an issuer of certificates does in a cluster: one authority, whose key is not kept, signs for each Secret with the annotation. A
 * Deployment that mounts such a Secret gets its digest as an annotation, so that its Pods start anew with another certificate.
 */
export async function withCertificates(objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const now = Date.now() / 1000;
  const life = { notBefore: timeOf(now - days), notAfter: timeOf(now + 365 * days) };
  const authority = await issuer.authority({ commonName: 'authority of this machine', ...life });
  const digests = new Map<string, string>();
  const signed: KubeObject[] = [];
  for (const object of objects) {
    const names = object.metadata.annotations?.[certificateAnnotation];
    if (names === undefined) {
      signed.push(object);
      continue;
    }
    if (object.kind === 'ConfigMap') {
      signed.push(withData(object, { 'ca.crt': authority.certificate }));
      continue;
    }
    const dnsNames = names.split(',').map((name) => name.trim());
    const pair = await issuer.leaf({ ...life, commonName: dnsNames[0] ?? '', dnsNames, usage: 'server', authority });
    digests.set(object.metadata.name, digestOf(pair));
    signed.push(withData(object, { 'tls.crt': base64(pair.certificate), 'tls.key': base64(pair.key) }));
  }
  return signed.map((object) => (object.kind === 'Deployment' ? withDigests(object, digests) : object));
}

function withData(object: WithData, data: Readonly<Record<string, string>>): KubeObject {
  return { ...object, data: { ...object.data, ...data } } as KubeObject;
}

interface Template {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly volumes?: readonly { readonly secret?: { readonly secretName?: string } }[] };
}

function withDigests(object: KubeObject, digests: ReadonlyMap<string, string>): KubeObject {
  const { spec } = object as KubeObject & { readonly spec: { readonly template: Template } };
  const { template } = spec;
  const own = (template.spec.volumes ?? []).flatMap(({ secret }) => digests.get(secret?.secretName ?? '') ?? []);
  if (own.length === 0) return object;
  const annotations = { ...template.metadata?.annotations, [certificateAnnotation]: own.join() };
  const metadata = { ...template.metadata, annotations };
  return { ...object, spec: { ...spec, template: { ...template, metadata } } } as KubeObject;
}

function digestOf({ certificate }: KeyPair): string {
  return createHash('sha256').update(certificate).digest('hex').slice(0, 16);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
