import { at, type Case, core, del, get, group, post, until } from '../case.ts';
import { job } from './bodies.ts';
import { count, gone, items, none } from './running.ts';

const path = group('batch/v1', 'jobs', 'web');
const ofJob = `${core('pods')}?labelSelector=batch.kubernetes.io%2Fjob-name%3Dweb`;
const run = (spec: object = {}) => job({ suspend: undefined, managedBy: undefined, ...spec });
const made = (spec: object = {}) => [post(group('batch/v1', 'jobs'), run(spec)), until(path, isComplete)];

/** What becomes of Jobs on a node where every container ends at once and without a fault. */
export const jobCases: readonly Case[] = [
  {
    name: 'a Job makes a Pod, which succeeds, and is complete',
    given: made(),
    steps: [
      get(path, { view: summary }),
      until(ofJob, (body) => items(body).every((pod) => at(pod, 'metadata.finalizers') === undefined), {
        view: (body) => items(body).map(podSummary),
      }),
    ],
  },
  {
    name: 'a Job makes as many Pods as it asks for, at most so many at a time',
    given: made({ completions: 3, parallelism: 2 }),
    steps: [get(path, { view: (body) => at(body, 'status.succeeded') }), get(ofJob, { view: count })],
  },
  {
    name: 'a Job that wants no Pods at a time makes none',
    given: [post(group('batch/v1', 'jobs'), run({ parallelism: 0 }))],
    steps: [
      until(path, (body) => at(body, 'status.startTime') !== undefined, { view: (body) => at(body, 'status.active') }),
      get(ofJob, { view: count }),
    ],
  },
  {
    name: 'a Job takes its Pods along',
    given: made(),
    steps: [
      del(path, { propagationPolicy: 'Background' }, { view: (body) => at(body, 'status') }),
      until(path, gone, { view: (body) => at(body, 'reason') }),
      until(ofJob, none, { view: count }),
    ],
  },
];

function isComplete(body: unknown): boolean {
  return JSON.stringify(at(body, 'status.conditions') ?? []).includes('"Complete"');
}

/** Whose program wrote which field, and in how many steps, is the affair of the controllers. */
function summary(body: unknown): unknown {
  const metadata = { ...(at(body, 'metadata') as object), managedFields: undefined, resourceVersion: undefined };
  return { ...(body as object), metadata };
}

/** The conditions of a Pod are its node's. */
function podSummary(body: unknown): unknown {
  const reasons = items({ items: at(body, 'status.containerStatuses') }).map((one) =>
    at(one, 'state.terminated.reason'),
  );
  return { ...(summary(body) as object), status: { phase: at(body, 'status.phase'), reasons } };
}
