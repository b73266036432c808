import {
  apply,
  at,
  type Case,
  core,
  get,
  group,
  jsonPatch,
  kubectl,
  mergePatch,
  post,
  put,
  type Step,
  strategicPatch,
} from '../case.ts';
import { owners } from './apply-steps.ts';
import { configMap, crd, deployment, pod, service, shop } from './bodies.ts';
import { served, shops } from './served.ts';

const path = core('configmaps', 'web');
const web = group('apps/v1', 'deployments', 'web');
const scale = `${web}/scale`;
const versions = ['v1', 'v2'].map((name) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
}));
const inV2 = { ...shop({ size: 'm' }), apiVersion: '{group}/v2' };
const shopV2 = '/apis/{group}/v2/namespaces/{ns}/shops/web';
const statused = served(crd({ properties: { size: { type: 'string' } } }, { subresources: { status: {} } }));
const replicas = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const scaled = served(
  crd(
    { properties: { size: { type: 'string' }, replicas: { type: 'integer' } } },
    { subresources: { scale: replicas } },
  ),
);
const paused = deployment({ paused: true });

function scaleTo(replicas: number | undefined): unknown {
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas } };
}

/** Only what the case itself writes: controllers write the status of a Deployment when they like. */
const ours = {
  view: (body: unknown) => {
    const sorted = owners.view?.(body) ?? body;
    const entries = at(sorted, 'metadata.managedFields');
    if (!Array.isArray(entries)) return sorted;
    return { spec: at(sorted, 'spec'), owners: entries.filter((entry) => at(entry, 'subresource') !== 'status') };
  },
};

/** Who owns what after writes other than apply, through subresources and in other versions. */
export const applyUpdatesCases: readonly Case[] = [
  {
    name: 'a POST without a manager is owned by the program that sent it',
    steps: [
      post(core('configmaps'), configMap(), { headers: { 'user-agent': 'tool/v1.2 (linux/amd64)' } }),
      mergePatch(path, { data: { size: 's' } }, { ...owners, headers: { 'user-agent': 'other' } }),
    ],
  },
  {
    name: 'a Deployment that is created is owned with its defaults',
    steps: [post(`${group('apps/v1', 'deployments')}?fieldManager=m1`, paused, ours)],
  },
  { name: 'a Pod that is created is owned with its defaults', steps: [post(core('pods'), pod())] },
  { name: 'a Service that is created is owned with its defaults', steps: [post(core('services'), service())] },
  {
    name: 'each kind of patch is an update of its manager',
    given: [post(`${core('configmaps')}?fieldManager=m1`, configMap({ a: '1' }))],
    steps: [
      mergePatch(`${path}?fieldManager=m2`, { data: { b: '2' } }, owners),
      jsonPatch(`${path}?fieldManager=m3`, [{ op: 'add', path: '/data/c', value: '3' }], owners),
      strategicPatch(`${path}?fieldManager=m4`, { data: { a: null, d: '4' } }, owners),
    ],
  },
  {
    name: 'an update that changes nothing writes nothing',
    given: [post(`${core('configmaps')}?fieldManager=m1`, configMap({ a: '1' }))],
    steps: [put(`${path}?fieldManager=m2`, configMap({ a: '1' })), mergePatch(path, {}), jsonPatch(path, [])],
  },
  {
    name: 'an owner without a field has no entry',
    given: [post(`${core('configmaps')}?fieldManager=m1`, configMap({ a: '1' }))],
    steps: [
      put(`${path}?fieldManager=m2`, { ...configMap(), data: { a: '2' } }, owners),
      mergePatch(path, { data: null }),
    ],
  },
  {
    name: 'emptied managedFields stay empty until an apply, which finds before-first-apply',
    given: [post(core('configmaps'), configMap({ a: '1' }))],
    steps: [
      mergePatch(path, { metadata: { managedFields: [{}] } }),
      mergePatch(path, { data: { b: '2' } }),
      apply(`${path}?fieldManager=m1`, configMap({ a: '2' })),
      apply(`${path}?fieldManager=m1`, configMap({ a: '1', c: '3' }), owners),
    ],
  },
  {
    name: 'managedFields are emptied by an empty list too, and kept by a PUT that does not have them',
    given: [post(core('configmaps'), configMap({ a: '1' }))],
    steps: [
      put(path, configMap({ a: '1' })),
      jsonPatch(path, [{ op: 'replace', path: '/metadata/managedFields', value: [] }]),
    ],
  },
  {
    name: 'managedFields that make no sense are not heard',
    given: [post(core('configmaps'), configMap({ a: '1' }))],
    steps: [mergePatch(path, { metadata: { managedFields: [{ manager: 'm1', operation: 'Nothing' }] } })],
  },
  {
    name: 'the eleventh who updates makes the oldest ancient changes',
    given: [
      post(`${core('configmaps')}?fieldManager=m00`, configMap({ k00: '1' })),
      ...Array.from({ length: 9 }, (_, index) =>
        mergePatch(`${path}?fieldManager=m0${index + 1}`, { data: { [`k0${index + 1}`]: '1' } }),
      ),
    ],
    steps: [
      mergePatch(`${path}?fieldManager=m10`, { data: { k10: '1' } }, owners),
      mergePatch(`${path}?fieldManager=m11`, { data: { k11: '1' } }, owners),
    ],
  },
  {
    name: 'status has owners of its own',
    given: [...statused, post(`${shops}?fieldManager=m1`, shop({ size: 's' }))],
    steps: [
      mergePatch(`${shops}/web/status?fieldManager=m1`, { status: { a: '1' } }, owners),
      apply(`${shops}/web/status?fieldManager=m2`, shop(undefined, { status: { a: '2' } })),
      apply(`${shops}/web/status?fieldManager=m2&force=true`, shop(undefined, { status: { a: '2', b: '1' } }), owners),
      apply(`${shops}/web/status?fieldManager=m2`, shop(undefined, { status: { b: '1' } }), owners),
      get(`${shops}/web`, owners),
    ],
  },
  {
    name: 'an apply of the object does not own its status, nor of the status its spec',
    given: [...statused, post(`${shops}?fieldManager=m1`, shop({ size: 's' }))],
    steps: [
      apply(`${shops}/web?fieldManager=m2`, shop({ size: 's' }, { status: { a: '1' } }), owners),
      apply(`${shops}/web/status?fieldManager=m3`, shop({ size: 'm' }, { status: { a: '1' } }), owners),
    ],
  },
  {
    name: 'a scale is an update of its own, and may be applied',
    given: [post(`${group('apps/v1', 'deployments')}?fieldManager=m1`, deployment({ paused: true, replicas: 1 }))],
    steps: [
      put(`${scale}?fieldManager=m2`, scaleTo(2), { view: (body) => at(body, 'spec') }),
      get(web, ours),
      apply(`${scale}?fieldManager=m3`, scaleTo(3)),
      apply(`${scale}?fieldManager=m3&force=true`, scaleTo(3), { view: (body) => at(body, 'spec') }),
      get(web, ours),
      apply(`${web}?fieldManager=m4`, { ...paused, spec: { replicas: 4 } }),
    ],
  },
  {
    name: 'a scale that changes nothing gives the replicas an entry of their own',
    given: [...scaled, post(`${shops}?fieldManager=m1`, shop({ replicas: 1, size: 's' }))],
    steps: [
      put(`${shops}/web/scale?fieldManager=m2`, scaleTo(1), { view: (body) => at(body, 'spec') }),
      get(`${shops}/web`),
    ],
  },
  {
    name: 'a manager that applies in another version keeps one entry',
    given: [
      ...served(crd({}, {}, { versions })),
      apply(`${shops}/web?fieldManager=m1`, shop({ size: 's', color: 'red' })),
    ],
    steps: [
      apply(`${shopV2}?fieldManager=m2`, inV2),
      apply(`${shopV2}?fieldManager=m1`, inV2, owners),
      mergePatch(`${shopV2}?fieldManager=m3`, { spec: { size: 'l' } }, owners),
      mergePatch(`${shops}/web?fieldManager=m3`, { spec: { color: 'blue' } }, owners),
    ],
  },
  {
    name: 'conflicts with several managers are told by manager',
    given: [
      apply(`${path}?fieldManager=m1`, configMap({ a: '1' })),
      apply(`${path}?fieldManager=m2`, configMap({ a: '1', b: '2' })),
      mergePatch(`${path}?fieldManager=m3`, { data: { c: '3' } }),
    ],
    steps: [apply(`${path}?fieldManager=m4`, configMap({ a: '4', b: '4', c: '4' }), owners)],
  },
  {
    name: 'kubectl apply --server-side takes over what its client-side apply had applied',
    given: [kubectlApply({ a: '1', b: '2' }, '')],
    steps: [get(path, owners), kubectlApply({ a: '2', c: '3' }, ' --server-side'), get(path, owners)],
  },
];

function kubectlApply(data: Readonly<Record<string, unknown>>, options: string): Step {
  return kubectl(`apply${options} -f -`, { stdin: configMap(data) });
}
