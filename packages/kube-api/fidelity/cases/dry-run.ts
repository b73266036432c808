import { apply, type Case, core, del, get, group, jsonPatch, mergePatch, post, put, strategicPatch } from '../case.ts';
import { configMap, crd, deployment, pod, service } from './bodies.ts';
import { definition, definitions } from './served.ts';

const path = core('configmaps', 'web');
const made = [
  post(core('configmaps'), configMap(), { save: { uid: 'metadata.uid', version: 'metadata.resourceVersion' } }),
];

/** `dryRun=All` answers as if, and writes nothing. */
export const dryRunCases: readonly Case[] = [
  {
    name: 'a dry create answers as a create, without a resourceVersion, and creates nothing',
    steps: [
      post(`${core('configmaps')}?dryRun=All`, configMap()),
      get(path),
      post(`${core('services')}?dryRun=All`, service()),
      post(`${core('pods')}?dryRun=All`, pod()),
    ],
  },
  {
    name: 'a dry create of what is there already or wrong is refused as a create',
    given: made,
    steps: [
      post(`${core('configmaps')}?dryRun=All`, configMap()),
      post(`${core('configmaps')}?dryRun=All`, configMap({}, { name: 'A' })),
    ],
  },
  {
    name: 'a dry PUT and dry patches answer as if, and change nothing',
    given: made,
    steps: [
      put(`${path}?dryRun=All`, configMap({ color: 'red' })),
      mergePatch(`${path}?dryRun=All`, { data: { color: 'red' } }),
      jsonPatch(`${path}?dryRun=All`, [{ op: 'remove', path: '/data/color' }]),
      strategicPatch(`${path}?dryRun=All`, { data: { color: 'red' } }),
      apply(`${path}?dryRun=All&fieldManager=ann&force=true`, configMap({ color: 'red' })),
      put(`${path}?dryRun=All`, configMap({}, { resourceVersion: '1' })),
      get(path),
    ],
  },
  {
    name: 'a dry apply creates nothing',
    steps: [apply(`${path}?dryRun=All&fieldManager=ann`, configMap()), get(path)],
  },
  {
    name: 'a dry delete answers as a delete, and deletes nothing',
    given: [...made, post(core('pods'), pod())],
    steps: [
      del(`${path}?dryRun=All`),
      del(path, { dryRun: ['All'] }),
      del(path, { dryRun: ['All'], preconditions: { resourceVersion: '1' } }),
      del(`${core('pods', 'web')}?dryRun=All`),
      del(`${core('configmaps')}?dryRun=All&fieldSelector=metadata.name%3Dweb`),
      get(path),
    ],
  },
  {
    name: 'a dry delete of what has a finalizer shows it as it would be',
    given: [post(core('configmaps'), configMap({}, { finalizers: ['example.com/keep'] }))],
    steps: [del(`${path}?dryRun=All`), get(path)],
  },
  {
    name: 'a dry write of status and scale changes nothing',
    given: [post(group('apps/v1', 'deployments'), deployment({ paused: true })), post(core('pods'), pod())],
    steps: [
      mergePatch(`${core('pods', 'web')}/status?dryRun=All`, { status: { phase: 'Running' } }),
      mergePatch(
        `${group('apps/v1', 'deployments', 'web')}/scale?dryRun=All`,
        { spec: { replicas: 3 } },
        { view: (body) => ({ spec: (body as { spec: unknown }).spec }) },
      ),
      get(core('pods', 'web')),
    ],
  },
  {
    name: 'a dry CustomResourceDefinition serves nothing',
    steps: [post(`${definitions}?dryRun=All`, crd({})), get(definition)],
  },
  {
    name: 'dryRun is All or nothing',
    steps: ['', 'Some', 'All&dryRun=All', 'true'].map((value) =>
      post(`${core('configmaps')}?dryRun=${value}`, configMap({}, { generateName: 'web-', name: undefined })),
    ),
  },
];
