import { type Case, core, get, group, kubectl, post } from '../case.ts';
import { configMap, deployment, job, pod, service } from './bodies.ts';

const made = [
  post(core('configmaps'), configMap({ color: 'blue' }, { labels: { app: 'web' }, annotations: { note: 'x' } })),
];

/** kubectl reads. */
export const kubectlCases: readonly Case[] = [
  {
    name: 'kubectl get shows rows, wide ones, names, YAML and JSON',
    given: [...made, post(core('services'), service())],
    steps: [
      kubectl('get configmaps -l app=web'),
      kubectl('get service web -o wide'),
      kubectl('get cm/web svc/web -o name'),
      kubectl('get cm web -o yaml --show-managed-fields'),
      kubectl('get cm web -o json'),
      kubectl('get cm web -o jsonpath={.data.color}'),
      kubectl('get cm -l app=web -o custom-columns=NAME:.metadata.name,COLOR:.data.color'),
      kubectl('get cm -l app=web --show-labels --no-headers'),
    ],
  },
  {
    name: 'kubectl get says what is not there',
    steps: [
      kubectl('get pods'),
      kubectl('get cm none'),
      kubectl('get chairs'),
      kubectl('get secrets -l app=none'),
      kubectl('get cm -l !!'),
      kubectl('get cm --field-selector data.color=blue'),
    ],
  },
  {
    name: 'kubectl get selects by labels and fields, sorts and chunks',
    given: ['a', 'b', 'c'].map((name) =>
      post(core('configmaps'), configMap({}, { name, labels: { app: 'web', tier: name === 'b' ? 'back' : 'front' } })),
    ),
    steps: [
      kubectl("get cm -l 'tier in (front)'"),
      kubectl('get cm --field-selector metadata.name=b'),
      kubectl('get cm -l app=web --sort-by={.metadata.labels.tier} -o name'),
      kubectl('get cm -l app=web --chunk-size=2 -L tier'),
    ],
  },
  {
    name: 'kubectl get -w shows a row for each change',
    given: made,
    steps: [
      kubectl('get cm -l app=web -w', {
        lines: 3,
        during: [kubectl('patch cm web --type=merge -p {"data":{"more":"x"}}')],
      }),
      kubectl('get cm web --watch --output-watch-events', { lines: 3, during: [kubectl('delete cm web')] }),
    ],
  },
  {
    name: 'kubectl get shows several kinds at once',
    given: [
      ...made,
      post(core('pods'), pod()),
      post(core('services'), service({ type: 'NodePort' })),
      post(group('batch/v1', 'jobs'), job()),
      post(group('apps/v1', 'deployments'), deployment({ paused: true })),
    ],
    steps: [kubectl('get pods,services'), kubectl('get all'), kubectl('get deploy,job -o wide')],
  },
  {
    name: 'kubectl describe tells of a ConfigMap, a Service, a Pod and a Secret',
    given: [
      ...made,
      post(core('services'), service()),
      post(core('pods'), pod()),
      post(core('secrets'), { metadata: { name: 'web' }, stringData: { token: 'abc' } }),
    ],
    steps: [
      kubectl('describe cm web'),
      kubectl('describe service web --show-events=false'),
      kubectl('describe pod web'),
      kubectl('describe secret web'),
      kubectl('describe cm none'),
    ],
  },
  {
    name: 'kubectl describe tells of roles, Jobs and namespaces',
    given: [
      post(group('rbac.authorization.k8s.io/v1', 'roles'), {
        metadata: { name: 'web' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
      post(group('batch/v1', 'jobs'), job()),
    ],
    steps: [
      kubectl('describe role web'),
      kubectl('describe job web'),
      kubectl('describe ns {ns}', { view: firstLines }),
    ],
  },
  {
    name: 'kubectl events and describe show what happened to an object',
    given: [
      ...made,
      get(core('configmaps', 'web'), { save: { uid: 'metadata.uid' } }),
      post(core('events'), {
        metadata: { name: 'web.1' },
        involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'web', namespace: '{ns}', uid: '{uid}' },
        reason: 'Seen',
        message: 'It was seen.',
        type: 'Normal',
        count: 1,
        source: { component: 'viewer' },
        firstTimestamp: '2025-01-02T03:04:05Z',
        lastTimestamp: '2025-01-02T03:05:05Z',
      }),
    ],
    steps: [
      kubectl('events'),
      kubectl('events --for configmap/web --types=Normal'),
      kubectl('get events'),
      kubectl('describe cm web'),
    ],
  },
];

/** How many lines there are before depends on how fast it goes. */

/** A real server goes on with quotas, which are not one of our kinds. */
function firstLines(text: string): string {
  return text.split('\n').slice(0, 4).join('\n');
}
