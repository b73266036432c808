import { type Case, core, del, get, group, mergePatch, post, put } from '../case.ts';
import { image } from './bodies.ts';

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } };
const selector = { matchLabels: { app: 'web' } };
const spec = { selector, template };
const statefulSets = group('apps/v1', 'statefulsets');
const daemonSets = group('apps/v1', 'daemonsets');
const cronJobs = group('batch/v1', 'cronjobs');
// The controllers of the real server would make Pods: no node has this label, and the StatefulSet and the CronJob make nothing.
const nowhere = { ...template, spec: { ...template.spec, nodeSelector: { 'example.com/never': 'true' } } };
const statefulSet = { metadata: { name: 'web' }, spec: { ...spec, serviceName: 'web', replicas: 0 } };
const daemonSet = { metadata: { name: 'web' }, spec: { selector, template: nowhere } };
const cronJob = {
  metadata: { name: 'web' },
  spec: {
    schedule: '5 4 1 1 *',
    suspend: true,
    jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
  },
};
const one = (name: string, path: string, body: unknown): Case => ({ name, steps: [post(path, body)] });

/** StatefulSets, DaemonSets, CronJobs and the like: what the API server makes of them; nothing runs them in the embedded API. */
export const storedWorkloadsCases: readonly Case[] = [
  one('a StatefulSet gets the defaults of its updates', `${statefulSets}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: { ...spec, serviceName: 'web' },
  }),
  one('the claims of a StatefulSet get their defaults', `${statefulSets}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: {
      ...spec,
      serviceName: 'web',
      replicas: 2,
      updateStrategy: { type: 'OnDelete' },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  }),
  one('a StatefulSet needs a selector that selects its template', `${statefulSets}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'other' } }, template, serviceName: 'web' },
  }),
  {
    name: 'of a StatefulSet only some fields may change',
    given: [post(statefulSets, statefulSet)],
    steps: [
      mergePatch(`${statefulSets}/web?dryRun=All`, { spec: { serviceName: 'other' } }),
      mergePatch(`${statefulSets}/web?dryRun=All`, { spec: { minReadySeconds: 3 } }, { view: specOf }),
    ],
  },
  one('a DaemonSet gets the defaults of its updates', `${daemonSets}?dryRun=All`, daemonSet),
  one('a DaemonSet that updates on deletion has no shares', `${daemonSets}?dryRun=All`, {
    ...daemonSet,
    spec: { ...daemonSet.spec, updateStrategy: { type: 'OnDelete' } },
  }),
  {
    name: 'the selector of a DaemonSet may not change',
    given: [post(daemonSets, daemonSet)],
    steps: [mergePatch(`${daemonSets}/web?dryRun=All`, { spec: { selector: { matchLabels: { app: 'other' } } } }, {})],
  },
  one('a CronJob gets its history limits, and its Jobs no defaults yet', `${cronJobs}?dryRun=All`, {
    ...cronJob,
    spec: { ...cronJob.spec, suspend: undefined },
  }),
  one('a CronJob needs a schedule', `${cronJobs}?dryRun=All`, {
    ...cronJob,
    spec: { ...cronJob.spec, schedule: undefined },
  }),
  {
    name: 'a CronJob is changed and deleted',
    given: [post(cronJobs, cronJob)],
    steps: [
      mergePatch(`${cronJobs}/web`, { spec: { concurrencyPolicy: 'Forbid' } }, { view: specOf }),
      mergePatch(`${cronJobs}/web`, { spec: { concurrencyPolicy: 'Never' } }),
      del(`${cronJobs}/web`),
      get(`${cronJobs}/web`),
    ],
  },
  one('a ReplicationController takes its selector from its template', `${core('replicationcontrollers')}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: { template },
  }),
  one('a PodTemplate gets the defaults of Pods', core('podtemplates'), {
    metadata: { name: 'web' },
    template,
  }),
  one('a ControllerRevision keeps any data', group('apps/v1', 'controllerrevisions'), {
    metadata: { name: 'web' },
    revision: 3,
    data: { spec: { color: 'red' } },
  }),
  one('a PriorityClass preempts', '/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All', {
    metadata: { name: '{ns}-high' },
    value: 1000,
    description: 'First.',
  }),
  {
    name: 'a PUT makes no StatefulSet',
    steps: [put(`${statefulSets}/web`, statefulSet)],
  },
];

function specOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'spec' in body ? body.spec : body;
}
