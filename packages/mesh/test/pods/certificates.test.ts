import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../controller/domain/kube-object.ts';
import { issuer } from '../../../issuing/issuer.ts';
import { certificateAnnotation, withCertificates } from '../../pods/certificates.ts';

type WithData = KubeObject & { readonly data: Readonly<Record<string, string>> };

const annotated = (kind: string, name: string, value: string): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, annotations: { [certificateAnnotation]: value } },
});

function deployment(name: string, secretName: string): KubeObject {
  const template = { metadata: { annotations: { own: 'x' } }, spec: { volumes: [{ secret: { secretName } }] } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { template } } as KubeObject;
}

test('a Secret gets a certificate, a ConfigMap its authority, and a Deployment starts anew with another', async () => {
  const given = [
    { ...annotated('ConfigMap', 'profile', 'authority'), data: { port: '7000' } } as KubeObject,
    deployment('server', 'tls'),
    deployment('stranger', 'other'),
    annotated('Secret', 'tls', 'server.home, server.away'),
  ];
  const [profile, server, stranger, secret] = (await withCertificates(given)) as [
    WithData,
    KubeObject,
    KubeObject,
    WithData,
  ];
  const [certificate = '', key = ''] = ['tls.crt', 'tls.key'].map((name) =>
    Buffer.from(secret.data[name] ?? '', 'base64').toString(),
  );
  const facts = await issuer.inspect({ certificate, key }, profile.data['ca.crt']);
  assert.deepEqual(facts?.dnsNames, ['server.home', 'server.away']);
  assert.equal(profile.data['port'], '7000');
  assert.equal(stranger, given[2]);
  const digestOf = (object: KubeObject): string =>
    (object as KubeObject & { spec: { template: KubeObject } }).spec.template.metadata.annotations?.[
      certificateAnnotation
    ] ?? '';
  assert.match(digestOf(server), /^[0-9a-f]{16}$/);
  const [, again] = await withCertificates(given);
  assert.notEqual(digestOf(again as KubeObject), digestOf(server));
});
