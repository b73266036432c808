import { timeOf } from '../../controller/domain/time.ts';
import type { Container } from './container.ts';
import type { Condition, Pod } from './pod-spec.ts';

export interface PodState {
  /** In the cluster. */
  readonly address: string;
  /** Empty before they were started. */
  readonly containers: readonly Container[];
  /** Why they were not started, in a sentence. */
  waitsFor: string | undefined;
}

/** The status of a Pod as its kubelet reports it. */
export function podStatus(pod: Pod, { address, containers, waitsFor }: PodState): object {
  const now = timeOf(Date.now() / 1000);
  const reports = containers.map((one) => one.status());
  const codes = containers.map((one) => one.ended());
  const isOver = containers.length > 0 && codes.every((code) => code !== undefined);
  const isReady = containers.length > 0 && reports.every(({ ready }) => ready);
  const conditions = ['Initialized', 'ContainersReady', 'Ready'].map((type) =>
    conditionOf(type, type === 'Initialized' || isReady, { pod, now }),
  );
  const others = (pod.status?.conditions ?? []).filter(({ type }) => !conditions.some((one) => one.type === type));
  return {
    phase: phaseOf({ isOver, codes, hasBegun: containers.length > 0 }),
    conditions: [...others, ...conditions],
    containerStatuses: containers.length > 0 ? reports : waitingStatuses(pod, waitsFor),
    hostIP: '127.0.0.1',
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: pod.status?.startTime ?? now,
  };
}

/** The time of a condition is that of its last change. */
function conditionOf(
  type: string,
  holds: boolean,
  { pod, now }: { readonly pod: Pod; readonly now: string },
): Condition {
  const status = holds ? 'True' : 'False';
  const before = pod.status?.conditions?.find((one) => one.type === type);
  const since = before?.status === status ? (before.lastTransitionTime ?? now) : now;
  const why = type !== 'Initialized' && !holds && { reason: 'ContainersNotReady' };
  return { type, status, lastProbeTime: null, lastTransitionTime: since, ...why };
}

function phaseOf(seen: {
  readonly isOver: boolean;
  readonly codes: readonly (number | undefined)[];
  readonly hasBegun: boolean;
}): string {
  if (!seen.hasBegun) return 'Pending';
  if (!seen.isOver) return 'Running';
  return seen.codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
}

function waitingStatuses({ spec }: Pod, waitsFor: string | undefined): readonly object[] {
  const waiting = { reason: 'ContainerCreating', ...(waitsFor !== undefined && { message: waitsFor }) };
  return spec.containers.map(({ name, image }) => {
    const none = { ready: false, started: false, restartCount: 0, lastState: {} };
    return { name, image, imageID: '', ...none, state: { waiting } };
  });
}
