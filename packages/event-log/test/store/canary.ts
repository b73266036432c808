import assert from 'node:assert/strict';

/** A value that is secret, and each form in which it may come out again. */
export const canary = 'canary-4711';
const encoded = Buffer.from(canary).toString('base64');
const traces = [canary, encoded, ...inBase64(canary), ...inBase64(encoded)];
export const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'Opaque',
  metadata: { name: 'key', namespace: 'shop', labels: { app: 'web' } },
  data: { key: encoded },
};
const { kind: _, apiVersion: __, ...nameless } = secret;
const secretText = JSON.stringify(secret);
const applied = 'kubectl.kubernetes.io/last-applied-configuration';
const lastApplied = { [applied]: secretText };
const managed = [{ manager: 'kubectl', fieldsV1: { 'f:data': { [`f:${canary}`]: {} } } }];
export const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'shop' } };
const { metadata } = configMap;
const podOf = (container: object): object => ({ kind: 'Pod', metadata, spec: { containers: [container] } });

/** What may come as data, with the canary in it, and the kind that the event says it is about. */
export const places: readonly [sentence: string, data: unknown, kind?: string | undefined][] = [
  ['a Secret', secret, 'Secret'],
  ['a Secret in an event that says nothing of it', secret, undefined],
  ['a Secret in an event about something else', secret, 'ConfigMap'],
  ['a Secret that does not say its kind', nameless, 'Secret'],
  ['one, in an event that does not either', nameless, undefined],
  ['stringData', { ...secret, data: undefined, stringData: { key: canary } }, 'Secret'],
  ['stringData of what says it is something else', { ...configMap, stringData: { key: canary } }],
  ['its last applied form', { ...secret, data: {}, metadata: { name: 'key', annotations: lastApplied } }, 'Secret'],
  ['an annotation of another tool', { ...secret, data: {}, metadata: { annotations: { 'tool/x': canary } } }, 'Secret'],
  ['managedFields', { ...secret, data: {}, metadata: { name: 'key', managedFields: managed } }, 'Secret'],
  [
    'the last applied form in metadata alone',
    { kind: 'PartialObjectMetadata', metadata: { annotations: lastApplied } },
  ],
  ['a list of Secrets, whose items have no kind', { kind: 'SecretList', items: [nameless] }],
  ['a list of lists', { kind: 'List', items: [{ kind: 'SecretList', items: [nameless] }] }],
  ['a list of everything', { kind: 'List', items: [configMap, secret] }],
  ['a list that is called a Secret', { ...secret, items: [nameless, 'x', [canary]] }],
  ['items that are none', { kind: 'SecretList', items: { key: encoded } }],
  ['the event of a watch', { type: 'MODIFIED', object: secret }],
  ['an AdmissionReview', { kind: 'AdmissionReview', request: { object: secret, oldObject: secret } }],
  ['deep inside', { a: [{ b: [[{ c: secret }]] }] }],
  ['a list alone', [secret, [secret]]],
  ['a patch of a Secret', [{ op: 'replace', path: '/data/key', value: encoded }], 'Secret'],
  ['a text, about a Secret', canary, 'Secret'],
  ['a number of fields that are none of an object', { key: encoded, other: canary }, 'Secret'],
  ['the kind in another spelling', { ...secret, kind: 'secret' }],
  ['a Secret as text', secretText],
  ['a Secret as text in a text', JSON.stringify(JSON.stringify(JSON.stringify(secret)))],
  ['a Secret as YAML', `apiVersion: v1\nkind: Secret\ndata:\n  key: ${canary}`],
  [
    'a ConfigMap that holds a Secret',
    { ...configMap, data: { 'all.yaml': `kind:  "Secret"\nstringData: {a: ${canary}}` } },
  ],
  [
    'a ConfigMap that holds one in base64',
    { ...configMap, binaryData: { a: Buffer.from(secretText).toString('base64') } },
  ],
  ['the same, one byte later', { ...configMap, binaryData: { a: Buffer.from(` ${secretText}`).toString('base64') } }],
  ['the same, two bytes later', { ...configMap, binaryData: { a: Buffer.from(`  ${secretText}`).toString('base64') } }],
  ['a private key', { ...configMap, data: { key: `-----BEGIN EC PRIVATE KEY-----\n${canary}` } }],
  [
    'one in base64',
    { ...configMap, binaryData: { a: Buffer.from(`BEGIN PRIVATE KEY-----\n${canary}`).toString('base64') } },
  ],
  ['the environment of a Pod', podOf({ env: [{ name: 'TOKEN', value: canary }] }), 'Pod'],
  ['the arguments of a Pod', podOf({ args: [`--token=${canary}`] })],
  [
    'the arguments of the Pods of a Deployment',
    { kind: 'Deployment', metadata, spec: { template: podOf({ args: [canary] }) } },
  ],
  ['an annotation of a Pod', { kind: 'Pod', metadata: { ...metadata, annotations: { 'tool/x': canary } } }],
  [
    'the last applied form of a Message',
    { kind: 'Message', metadata: { ...metadata, annotations: { [applied]: canary } } },
  ],
  ['a value of a ConfigMap', { ...configMap, data: { key: canary } }, 'ConfigMap'],
  ['a binary value of a ConfigMap', { ...configMap, binaryData: { key: encoded } }],
  ['a bearer token', { ...configMap, data: { header: `Authorization: Bearer ${canary}` } }],
];

/** Extensions of an event that hold it, in a dead letter too. */
export const telling: readonly [name: string, value: string][] = [
  ['knativeerrordata', Buffer.from(secretText).toString('base64')],
  ['knativeerrordata', Buffer.from(`kind: Secret\ndata: {a: ${canary}}`).toString('base64')],
  ['knativeerrordest', `http://user:${canary}@pod-changed/?${canary}`],
  ['color', secretText],
  ['color', `Bearer ${canary}`],
];

/** Fails where a text holds the canary, in whatever form. */
export function assertClean(text: string): void {
  for (const trace of traces) assert.ok(!text.includes(trace), around(text, trace));
}

function around(text: string, trace: string): string {
  const at = text.indexOf(trace);
  return text.slice(Math.max(0, at - 300), at + 300);
}

/** A text in base64 as it looks at each of the three places where it may begin, without what its neighbours have a part in. */
function inBase64(text: string): readonly string[] {
  return [0, 1, 2].map((place) =>
    Buffer.from(`${' '.repeat(place)}${text}`)
      .toString('base64')
      .slice(4, -4),
  );
}
