import { apply, at, type Case, core, group, mergePatch, post, strategicPatch } from '../case.ts';
import { deployment, pod } from './bodies.ts';

const path = group('apps/v1', 'deployments', 'web');
const gates = (...names: readonly string[]) => ({ schedulingGates: names.map((name) => ({ name })) });
const gated = (name: string, ...changes: readonly object[]): Case => ({
  name,
  given: [post(core('pods'), pod(gates('example.com/a', 'example.com/b')))],
  steps: changes.map((change) => mergePatch(core('pods', 'web'), change)),
});
const recreate = { type: 'Recreate' };
/** The controller may have said something of it already, or not yet. */
const strategyOf = { view: (body: unknown) => at(body, 'spec.strategy') };
const container = { name: 'web', image: 'example.com/web:1' };

/** Strategies of Deployments, and gates of Pods. */
export const workloadRulesCases: readonly Case[] = [
  {
    name: 'a Deployment that recreates its Pods does not roll them',
    steps: [
      post(group('apps/v1', 'deployments'), deployment({ strategy: { ...recreate, rollingUpdate: { maxSurge: 1 } } })),
      post(group('apps/v1', 'deployments'), deployment({ strategy: { ...recreate, rollingUpdate: {} } })),
    ],
  },
  {
    name: 'a Deployment that rolled its Pods recreates them only without the numbers of rolling',
    given: [post(group('apps/v1', 'deployments'), deployment())],
    steps: [
      mergePatch(path, { spec: { strategy: recreate } }),
      strategicPatch(path, { spec: { strategy: recreate } }),
      apply(`${path}?fieldManager=ann`, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { strategy: recreate },
      }),
      mergePatch(path, { spec: { strategy: { ...recreate, rollingUpdate: null } } }, strategyOf),
      mergePatch(path, { spec: { strategy: { type: 'RollingUpdate' } } }, strategyOf),
    ],
  },
  {
    name: 'shares of a rollout that are none are refused',
    steps: [
      ...[
        { maxSurge: -1, maxUnavailable: -1 },
        { maxSurge: 'a', maxUnavailable: '101%' },
        { maxSurge: '150%', maxUnavailable: '0%' },
        { maxSurge: '0%', maxUnavailable: 0 },
      ].map((rollingUpdate) =>
        post(`${group('apps/v1', 'deployments')}?dryRun=All`, deployment({ strategy: { rollingUpdate } })),
      ),
    ],
  },
  {
    name: 'a Deployment has more time to go on than to be ready',
    steps: [
      post(group('apps/v1', 'deployments'), deployment({ minReadySeconds: 60, progressDeadlineSeconds: 60 })),
      post(group('apps/v1', 'deployments'), deployment({ progressDeadlineSeconds: -1 })),
    ],
  },
  {
    name: 'a template does not set a deadline or say where its Pods are',
    steps: [
      post(
        group('apps/v1', 'deployments'),
        deployment({
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { activeDeadlineSeconds: 5, containers: [container] },
          },
        }),
      ),
    ],
  },
  {
    name: 'a new Pod with gates is told that it is held back',
    steps: [post(core('pods'), pod(gates('example.com/a', 'example.com/b')))],
  },
  {
    name: 'bad gates are refused',
    steps: [
      post(core('pods'), pod(gates('example.com/a', 'example.com/a'))),
      post(core('pods'), pod(gates('a b', ''))),
      post(core('pods'), pod({ ...gates('example.com/a'), nodeName: 'somewhere' })),
    ],
  },
  gated(
    'the gates of a Pod may go, one after the other',
    { spec: gates('example.com/b') },
    { spec: { schedulingGates: [] } },
    { spec: { schedulingGates: null } },
  ),
  gated(
    'a Pod gets no gates more, and no others',
    { spec: gates('example.com/a', 'example.com/b', 'example.com/c') },
    { spec: gates('example.com/c') },
    { spec: gates('example.com/b', 'example.com/a') },
    { spec: { ...gates('example.com/a'), restartPolicy: 'Never' } },
  ),
  gated('a Pod that is held back may be told where to go', { spec: { nodeSelector: { 'example.com/disk': 'ssd' } } }),
  {
    name: 'a Pod without gates gets none, and is told no more where to go',
    given: [post(core('pods'), pod())],
    steps: [
      mergePatch(core('pods', 'web'), { spec: gates('example.com/a') }),
      mergePatch(core('pods', 'web'), { spec: { nodeSelector: { 'example.com/disk': 'ssd' } } }),
    ],
  },
  {
    name: 'a deadline of a Pod may come and shrink, and not grow or go',
    given: [post(core('pods'), pod())],
    steps: [60, 30, 90, null, -1].map((activeDeadlineSeconds) =>
      mergePatch(core('pods', 'web'), { spec: { activeDeadlineSeconds } }),
    ),
  },
];
