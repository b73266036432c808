import { type Case, core, get, group, jsonPatch, mergePatch, patch, post, type Step, strategicPatch } from '../case.ts';
import { configMap, image, pod } from './bodies.ts';
import { deployment, made, path, template } from './patched.ts';

const podMade: readonly Step[] = [
  post(core('pods'), pod({ tolerations: [{ key: 'a', operator: 'Exists' }] }, { labels: { app: 'web' } })),
];

/** Strategic merge patches, and what holds for every patch. */
export const patchStrategicCases: readonly Case[] = [
  {
    name: 'a strategic patch merges lists by their keys',
    given: [post(group('apps/v1', 'deployments'), deployment)],
    steps: [
      strategicPatch(
        group('apps/v1', 'deployments', 'web'),
        {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    name: 'web',
                    env: [
                      { name: 'B', value: '22' },
                      { name: 'C', value: '3' },
                    ],
                    args: ['three'],
                  },
                  { name: 'third', image },
                ],
                volumes: [{ name: 'data', $retainKeys: ['name', 'configMap'], configMap: { name: 'web' } }],
              },
            },
          },
        },
        template,
      ),
    ],
  },
  {
    name: 'a strategic patch deletes, replaces and orders by its directives',
    given: [post(group('apps/v1', 'deployments'), deployment)],
    steps: [
      strategicPatch(
        group('apps/v1', 'deployments', 'web'),
        {
          spec: {
            template: {
              spec: {
                containers: [
                  { $patch: 'delete', name: 'side' },
                  { name: 'web', env: [{ $patch: 'replace' }, { name: 'D', value: '4' }] },
                  { name: 'new', image },
                ],
                '$setElementOrder/containers': [{ name: 'new' }, { name: 'web' }],
              },
            },
          },
        },
        template,
      ),
    ],
  },
  {
    name: 'a strategic patch of lists of values merges them, and removes from them by its directive',
    given: [post(core('configmaps'), configMap({}, { finalizers: ['example.com/a', 'example.com/b'] }))],
    steps: [
      strategicPatch(path, { metadata: { finalizers: ['example.com/c'] } }),
      strategicPatch(path, {
        metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a', 'example.com/b', 'example.com/c'] },
      }),
    ],
  },
  {
    name: 'a strategic patch with a bad directive or element is refused',
    given: podMade,
    steps: [
      strategicPatch(core('pods', 'web'), { spec: { containers: [{ image: 'no-name' }] } }),
      strategicPatch(core('pods', 'web'), { spec: { $patch: 'invent' } }),
      strategicPatch(core('pods', 'web'), { spec: { containers: 'web' } }),
      strategicPatch(core('pods', 'web'), { spec: { containers: [{ name: 'web', image: 7 }] } }),
      strategicPatch(core('pods', 'web'), '{'),
    ],
  },
  {
    name: 'a content type that is no patch is refused, a strategic one for custom resources too',
    given: made,
    steps: [
      patch(path, {}, { headers: { 'content-type': 'application/json' } }),
      patch(path, {}, { headers: { 'content-type': 'text/plain' } }),
      strategicPatch('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/none', {}),
    ],
  },
  {
    name: 'a patch of what is not there is not found',
    steps: [mergePatch(path, {}), jsonPatch(path, []), strategicPatch(path, {})],
  },
  {
    name: 'a patch with a uid or a resourceVersion is a precondition',
    given: made,
    steps: [
      mergePatch(path, { metadata: { resourceVersion: '{version}' }, data: { color: 'red' } }),
      mergePatch(path, { metadata: { resourceVersion: '{version}' }, data: { color: 'green' } }),
      mergePatch(path, { metadata: { uid: '11111111-2222-4333-8444-555555555555' }, data: { color: 'green' } }),
      jsonPatch(path, [{ op: 'replace', path: '/metadata/resourceVersion', value: '{version}' }]),
      get(path),
    ],
  },
  {
    name: 'a patch that changes nothing writes nothing',
    given: made,
    steps: [
      mergePatch(path, { data: { color: 'blue' } }),
      strategicPatch(path, { data: { color: 'blue' } }),
      jsonPatch(path, []),
      get(path),
    ],
  },
  {
    name: 'an unknown field in a patch is refused, warned of or ignored, as asked',
    given: made,
    steps: ['Strict', 'Warn', 'Ignore'].flatMap((how) => [
      mergePatch(`${path}?fieldValidation=${how}`, { colour: 'blue' }),
      jsonPatch(`${path}?fieldValidation=${how}`, [{ op: 'add', path: '/colour', value: 'blue' }]),
      strategicPatch(`${path}?fieldValidation=${how}`, { colour: 'blue' }),
    ]),
  },
  {
    name: 'a patch may not force, unless it applies',
    given: made,
    steps: [mergePatch(`${path}?force=true`, {})],
  },
];
