import { type Case, core, group, post, put } from '../case.ts';
import { configMap, deployment, image, pod, service } from './bodies.ts';

const yaml = { headers: { 'content-type': 'application/yaml' } };
const refused = (name: string, path: string, body: unknown): Case => ({ name, steps: [post(path, body)] });
const container = { name: 'web', image };

/** Bodies that are refused as such, or for their metadata, or taken with a warning. */
export const invalidCases: readonly Case[] = [
  refused('JSON that ends too early is refused', core('configmaps'), '{"metadata": {'),
  refused('JSON that is no object is refused', core('configmaps'), '[]'),
  refused('an empty body is refused', core('configmaps'), ''),
  {
    name: 'YAML is taken as well as JSON',
    steps: [
      post(core('configmaps'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  color: blue\n', yaml),
    ],
  },
  {
    name: 'a content type that nobody reads is refused',
    steps: [
      post(core('configmaps'), 'color=blue', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
  },
  refused('another kind than that of the path is refused', core('configmaps'), { ...configMap(), kind: 'Secret' }),
  refused('a kind that nobody knows is refused', core('configmaps'), { ...configMap(), kind: 'Shop' }),
  refused('another apiVersion than that of the path is refused', core('configmaps'), {
    ...configMap(),
    apiVersion: 'apps/v1',
  }),
  refused('an apiVersion that is none is refused', core('configmaps'), { ...configMap(), apiVersion: 'a/b/c' }),
  refused(
    'another namespace than that of the path is refused',
    core('configmaps'),
    configMap({}, { namespace: 'default' }),
  ),
  {
    name: 'another name than that of the path is refused',
    given: [post(core('configmaps'), configMap())],
    steps: [
      put(core('configmaps', 'web'), configMap({}, { name: 'other' })),
      put(core('configmaps', 'web'), configMap({}, { name: '' })),
    ],
  },
  refused('a name is required', core('configmaps'), { metadata: {} }),
  refused('a name must be a DNS subdomain', core('configmaps'), configMap({}, { name: 'Web_1' })),
  refused('a name must not be too long', core('configmaps'), configMap({}, { name: 'a'.repeat(254) })),
  refused(
    'the name of a Service must be a DNS label that begins with a letter',
    core('services'),
    service({}, { name: '1.web' }),
  ),
  {
    name: 'bad labels and annotations are refused, each with its reason',
    steps: [
      { 'a b': 'c' },
      { d: 'e f' },
      { 'x/y/z': 'w' },
      { l: 'v'.repeat(64) },
      { ['k'.repeat(64)]: '' },
      { 'X_/y': '' },
    ].map((labels) => post(core('configmaps'), configMap({}, { labels, annotations: { 'a b': 'c' } }))),
  },
  refused('bad finalizers and owner references are refused', core('configmaps'), {
    ...configMap(
      {},
      { finalizers: ['keep', 'a b'], ownerReferences: [{ apiVersion: 'v1', kind: '', name: '', uid: '' }] },
    ),
  }),
  refused('two owner references that control are refused', core('configmaps'), {
    ...configMap(
      {},
      {
        ownerReferences: [1, 2].map((number) => ({
          apiVersion: 'v1',
          kind: 'Pod',
          name: `p${number}`,
          uid: `${number}`.repeat(3),
          controller: true,
        })),
      },
    ),
  }),
  refused(
    'a resourceVersion must not be set on what is new',
    core('configmaps'),
    configMap({}, { resourceVersion: '1' }),
  ),
  refused('a wrong type in metadata is refused', core('configmaps'), { metadata: { name: 'web', labels: { a: 1 } } }),
  refused('a wrong type of a list is refused', core('pods'), pod({ containers: container })),
  refused('a wrong type of a number is refused', group('apps/v1', 'deployments'), deployment({ replicas: 'two' })),
  refused(
    'an unreadable quantity is refused',
    core('pods'),
    pod({ containers: [{ ...container, resources: { limits: { cpu: 'much' } } }] }),
  ),
  {
    name: 'a bad key of a ConfigMap is refused',
    steps: [post(core('configmaps'), configMap({ 'a b': 'c' })), post(core('configmaps'), configMap({ '..': 'd' }))],
  },
  refused('data that is no base64 is refused', core('secrets'), { metadata: { name: 'web' }, data: { token: '?' } }),
  refused('an object that is too large is refused', core('configmaps'), configMap({ text: 'x'.repeat(1_048_577) })),
  refused('a body that is too large is refused', core('configmaps'), configMap({ text: 'x'.repeat(3_200_000) })),
  {
    name: 'an unknown field is refused, warned of or ignored, as asked',
    steps: ['Strict', 'Warn', 'Ignore', 'Perhaps'].map((how) =>
      post(`${core('configmaps')}?dryRun=All&fieldValidation=${how}`, {
        ...configMap(),
        colour: 'blue',
        metadata: { name: 'web', owner: 'ann' },
      }),
    ),
  },
  {
    name: 'a field that occurs twice is refused, warned of or ignored, as asked',
    steps: ['Strict', 'Warn', 'Ignore'].map((how) =>
      post(
        `${core('configmaps')}?dryRun=All&fieldValidation=${how}`,
        '{"metadata": {"name": "web", "name": "shop"}, "data": {"a": "b", "a": "c"}}',
      ),
    ),
  },
  {
    name: 'without being asked a server warns of an unknown field',
    steps: [post(core('pods'), pod({ containers: [{ ...container, imagePolicy: 'Always' }], nodename: 'a' }))],
  },
];
