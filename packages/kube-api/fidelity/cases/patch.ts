import { type Case, core, group, jsonPatch, mergePatch, post } from '../case.ts';
import { service } from './bodies.ts';
import { deployment, made, path, template } from './patched.ts';

/** JSON and merge patches. */
export const patchCases: readonly Case[] = [
  {
    name: 'a JSON patch adds, replaces, tests, copies, moves and removes',
    given: made,
    steps: [
      jsonPatch(path, [
        { op: 'test', path: '/data/color', value: 'blue' },
        { op: 'add', path: '/data/a~1b', value: 'x' },
        { op: 'remove', path: '/data/a~1b' },
        { op: 'replace', path: '/data/color', value: 'red' },
        { op: 'copy', from: '/data/color', path: '/data/copied' },
        { op: 'move', from: '/data/size', path: '/data/moved' },
        { op: 'add', path: '/metadata/annotations', value: { note: 'x' } },
      ]),
    ],
  },
  {
    name: 'a JSON patch that does not fit is refused, each with its words',
    given: made,
    steps: [
      jsonPatch(path, [{ op: 'test', path: '/data/color', value: 'red' }]),
      jsonPatch(path, [{ op: 'remove', path: '/data/none' }]),
      jsonPatch(path, [{ op: 'replace', path: '/data/none', value: 'x' }]),
      jsonPatch(path, [{ op: 'add', path: '/none/deep', value: 'x' }]),
      jsonPatch(path, [{ op: 'invent', path: '/data' }]),
      jsonPatch(path, { op: 'add' }),
      jsonPatch(path, '[{'),
    ],
  },
  {
    name: 'a JSON patch works on lists by number',
    given: [post(group('apps/v1', 'deployments'), deployment)],
    steps: [
      jsonPatch(
        group('apps/v1', 'deployments', 'web'),
        [
          { op: 'add', path: '/spec/template/spec/containers/0/env/-', value: { name: 'C', value: '3' } },
          { op: 'remove', path: '/spec/template/spec/containers/0/env/0' },
          { op: 'add', path: '/spec/template/metadata/labels/tier', value: 'back' },
        ],
        template,
      ),
      jsonPatch(group('apps/v1', 'deployments', 'web'), [{ op: 'remove', path: '/spec/template/spec/containers/9' }]),
    ],
  },
  {
    name: 'a merge patch merges objects, replaces the rest, and null removes',
    given: made,
    steps: [
      mergePatch(path, { data: { color: null, shape: 'round' }, metadata: { labels: { tier: 'front' } } }),
      mergePatch(path, { data: null }),
      mergePatch(path, {}),
      mergePatch(path, { metadata: { name: 'other' } }),
      mergePatch(path, { metadata: { namespace: 'default' } }),
    ],
  },
  {
    name: 'a merge patch that is no object is refused',
    given: made,
    steps: [
      mergePatch(path, []),
      mergePatch(path, '{'),
      mergePatch(path, 'null'),
      mergePatch(path, { data: { color: 1 } }),
      mergePatch(path, { data: 'blue' }),
    ],
  },
  {
    name: 'a merge patch with another kind or apiVersion is refused',
    given: made,
    steps: [mergePatch(path, { kind: 'Shop' }), mergePatch(path, { apiVersion: 'v2' })],
  },
  {
    name: 'a merge patch replaces lists whole',
    given: [
      post(
        core('services'),
        service({
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 81 },
          ],
        }),
      ),
    ],
    steps: [mergePatch(core('services', 'web'), { spec: { ports: [{ name: 'c', port: 82 }] } })],
  },
];
