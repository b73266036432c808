import { type Case, core, del, get, group, mergePatch, post, put, type Step } from '../case.ts';
import { configMap, deployment, job, pod, service } from './bodies.ts';

const path = core('configmaps', 'web');
const deployments = group('apps/v1', 'deployments');
const deploymentPath = group('apps/v1', 'deployments', 'web');
const made: readonly Step[] = [
  post(core('configmaps'), configMap(), { save: { uid: 'metadata.uid', version: 'metadata.resourceVersion' } }),
];

/** What may change of which kind, generations, and subresources. */
export const updateRulesCases: readonly Case[] = [
  {
    name: 'of a Pod only image, deadline and tolerations can change',
    given: [post(core('pods'), pod())],
    steps: [
      mergePatch(core('pods', 'web'), { spec: { containers: [{ name: 'web', image: 'example.com/web:2' }] } }),
      mergePatch(core('pods', 'web'), { spec: { activeDeadlineSeconds: 60 } }),
      mergePatch(core('pods', 'web'), { spec: { restartPolicy: 'Never' } }),
    ],
  },
  {
    name: 'a Pod cannot get a container more',
    given: [post(core('pods'), pod())],
    steps: [
      mergePatch(core('pods', 'web'), {
        spec: {
          containers: [
            { name: 'web', image: 'a' },
            { name: 'more', image: 'b' },
          ],
        },
      }),
    ],
  },
  {
    name: 'a Service keeps its address in a PUT without one, and cannot change it',
    given: [post(core('services'), service())],
    steps: [
      put(core('services', 'web'), service({ ports: [{ port: 81 }] })),
      put(core('services', 'web'), service({ clusterIP: 'None' })),
    ],
  },
  {
    name: 'a Service changes its type and loses or gets what belongs to it',
    given: [post(core('services'), service())],
    steps: [
      mergePatch(core('services', 'web'), { spec: { type: 'NodePort' } }),
      mergePatch(core('services', 'web'), { spec: { type: 'ClusterIP' } }),
      mergePatch(core('services', 'web'), { spec: { type: 'ExternalName', externalName: 'web.example.com' } }),
    ],
  },
  {
    name: 'the selector of a Deployment cannot change',
    given: [post(deployments, deployment())],
    steps: [
      put(
        deploymentPath,
        deployment({
          selector: { matchLabels: { app: 'shop' } },
          template: { metadata: { labels: { app: 'shop' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
        }),
      ),
    ],
  },
  {
    name: 'of a Job the template cannot change, but it can be resumed and given more to do at once',
    given: [post(group('batch/v1', 'jobs'), job())],
    steps: [
      mergePatch(group('batch/v1', 'jobs', 'web'), { spec: { completions: 5 } }),
      mergePatch(group('batch/v1', 'jobs', 'web'), { spec: { parallelism: 0 } }),
    ],
  },
  {
    name: 'the role of a RoleBinding cannot change',
    given: [
      post(group('rbac.authorization.k8s.io/v1', 'rolebindings'), {
        metadata: { name: 'web' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
      }),
    ],
    steps: [
      put(group('rbac.authorization.k8s.io/v1', 'rolebindings', 'web'), {
        metadata: { name: 'web' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'b' },
      }),
    ],
  },
  {
    name: 'the generation of a Job counts changes of its spec, not of labels or status',
    given: [post(group('batch/v1', 'jobs'), job())],
    steps: [
      mergePatch(group('batch/v1', 'jobs', 'web'), { metadata: { labels: { a: 'b' } } }),
      mergePatch(group('batch/v1', 'jobs', 'web'), { spec: { backoffLimit: 6 } }),
      mergePatch(group('batch/v1', 'jobs', 'web'), { spec: { parallelism: 2 } }),
      mergePatch(`${group('batch/v1', 'jobs', 'web')}/status`, { status: { active: 1 }, spec: { parallelism: 3 } }),
    ],
  },
  {
    name: 'a ConfigMap, a Secret and a Role have no generation',
    steps: [
      ...['a', 'b'].map((color) => put(path, configMap({ color }))),
      post(core('secrets'), { metadata: { name: 'web', generation: 3 } }),
      post(group('rbac.authorization.k8s.io/v1', 'roles'), { metadata: { name: 'web', generation: 3 }, rules: [] }),
    ],
  },
  {
    name: 'the status of a Pod is written by its subresource alone',
    given: [post(core('pods'), pod({}, { labels: { app: 'web' } }))],
    steps: [
      mergePatch(core('pods', 'web'), { status: { phase: 'Running' } }),
      mergePatch(`${core('pods', 'web')}/status`, {
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
        metadata: { labels: { app: 'shop' } },
      }),
      get(`${core('pods', 'web')}/status`),
      put(`${core('pods', 'web')}/status`, { metadata: { name: 'web' }, status: { phase: 'Failed' } }),
    ],
  },
  {
    name: 'a subresource that a kind does not have is not found',
    given: made,
    steps: [
      get(`${path}/status`),
      mergePatch(`${path}/status`, {}),
      get(`${path}/scale`),
      del(`${core('pods', 'web')}/status`),
    ],
  },
  {
    name: 'the scale of a ReplicaSet is read and written, with a resourceVersion or without',
    given: [
      post(group('apps/v1', 'replicasets'), {
        metadata: { name: 'web' },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { schedulerName: 'nobody', containers: [{ name: 'a', image: 'b' }] },
          },
        },
      }),
    ],
    steps: [
      get(`${group('apps/v1', 'replicasets', 'web')}/scale`, { view: withoutStatus }),
      put(`${group('apps/v1', 'replicasets', 'web')}/scale`, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'web', resourceVersion: '1' },
        spec: { replicas: 1 },
      }),
      mergePatch(`${group('apps/v1', 'replicasets', 'web')}/scale`, { spec: { replicas: -1 } }),
      mergePatch(`${group('apps/v1', 'replicasets', 'none')}/scale`, { spec: { replicas: 2 } }),
    ],
  },
];

/** The controller may have counted replicas already, or not yet. */
function withoutStatus(body: unknown): unknown {
  return { ...(body as object), metadata: undefined, status: undefined };
}
