import type { KubeObject, ObjectRef } from '../../../src/domain/kube-object.ts';
import { labels } from '../../../src/domain/names.ts';
import type { Trace, TracedCall } from '../trace.ts';
import { isOk, isParent, nameOf, pick } from './accessors.ts';
import { lastRead, type Pass, passesOf, writesOf } from './passes.ts';

interface Breach {
  readonly what: string;
  readonly at: number;
}

/** Statuses that call a parent ready, or say that they speak of a generation, against what their pass had seen. */
export function falseReadiness(trace: Trace): readonly Breach[] {
  return passesOf(trace).flatMap((pass) =>
    writesOf(pass).flatMap(({ call }) => {
      if (!call.resource.endsWith('/status') || !isParent(call.ref) || !isOk(call.done.status)) return [];
      const { object: owner } = lastRead(pass, 'owner', call.at);
      const told = pick(call.body, 'status');
      const what = owner && (generationBreach(told, owner) ?? readyBreach(pass, call, { told, owner, trace }));
      return what === undefined ? [] : [{ what: `${nameOf(call.ref)} ${what}`, at: call.at }];
    }),
  );
}

function generationBreach(told: unknown, { metadata }: KubeObject): string | undefined {
  const generation = pick(told, 'observedGeneration');
  if (generation === undefined || generation === metadata.generation) return undefined;
  return `says generation ${String(generation)}, and ${String(metadata.generation)} was read`;
}

interface Told {
  readonly told: unknown;
  readonly owner: KubeObject;
  readonly trace: Trace;
}

function readyBreach(pass: Pass, call: TracedCall, { told, owner, trace }: Told): string | undefined {
  const { kind } = call.ref;
  if (kind === 'Message') {
    if (pick(told, 'phase') !== 'Processed' && !isReady(told)) return undefined;
    return prints(lastRead(pass, 'pod', call.at).object, owner) ? undefined : 'is called ready, and its Pod was not';
  }
  const { object: tunnel } = lastRead(pass, 'tunnel', call.at);
  const isUp = Number(pick(tunnel, 'status', 'availableReplicas') ?? 0) > 0 || hasServingPod(trace, pass, call.at);
  if (isReady(told) && !isUp) return 'is called ready, and no replica of its tunnel was available';
  if (pick(told, 'state') !== 'Running') return undefined;
  if (!isRolledOut(tunnel)) return 'is called Running, and its tunnel was not rolled out';
  // What the tunnel is not started from any more may go at any time.
  const isTouched = writesOf(pass).some(
    ({ call: other, role }) => other.at < call.at && other.verb !== 'delete' && startedFrom.has(role),
  );
  return isTouched ? 'is called Running by the pass that changed its tunnel' : undefined;
}

/** The Pods of the tunnel were read, and one of them runs frpc and has an Envoy that is ready. */
function hasServingPod({ calls }: Trace, { run, parent }: Pass, before: number): boolean {
  const read = calls.findLast(
    ({ at, run: of, verb, resource, query, ref }) =>
      of === run && at < before && verb === 'list' && resource === 'pods' && isOf(parent, ref, query),
  );
  return listAt(read?.seen.body, 'items').some((pod) => {
    const [frpc, envoy] = ['frpc', 'envoy'].map((name) =>
      listAt(pod, 'status', 'containerStatuses').find((one) => pick(one, 'name') === name),
    );
    const isLeaving = pick(pod, 'metadata', 'deletionTimestamp') !== undefined;
    return !isLeaving && pick(envoy, 'ready') === true && pick(frpc, 'state', 'running') !== undefined;
  });
}

function isOf(parent: ObjectRef, ref: ObjectRef, query: TracedCall['query']): boolean {
  const [first] = (query['labelSelector'] ?? '').split(',');
  return ref.namespace === parent.namespace && first === `${labels.tunnel}=${parent.name}`;
}

const startedFrom: ReadonlySet<string> = new Set(['tunnel', 'config', 'tls', 'identity']);

function isReady(told: unknown): boolean {
  const conditions = pick(told, 'conditions');
  if (!Array.isArray(conditions)) return false;
  return conditions.some((one) => pick(one, 'type') === 'Ready' && pick(one, 'status') === 'True');
}

/** The rule of `kubectl rollout status`. */
function isRolledOut(tunnel: KubeObject | undefined): boolean {
  if (tunnel === undefined) return false;
  const count = (...path: string[]): number => Number(pick(tunnel, 'status', ...path) ?? 0);
  const wanted = Number(pick(tunnel, 'spec', 'replicas') ?? 1);
  if (count('observedGeneration') < (tunnel.metadata.generation ?? 0)) return false;
  return (
    count('updatedReplicas') >= wanted &&
    count('replicas') === count('updatedReplicas') &&
    count('availableReplicas') >= wanted
  );
}

/** A Pod that is ready and says what the Message says; a dollar is doubled for the kubelet. */
function prints(pod: KubeObject | undefined, owner: KubeObject): boolean {
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return false;
  const [container] = listAt(pod, 'spec', 'containers');
  const text = listAt(container, 'env').find((one) => pick(one, 'name') === 'MESSAGE_TEXT');
  const isText = pick(text, 'value') === String(pick(owner, 'spec', 'text')).replaceAll('$', '$$$$');
  const conditions = listAt(pod, 'status', 'conditions');
  return isText && conditions.some((one) => pick(one, 'type') === 'Ready' && pick(one, 'status') === 'True');
}

function listAt(value: unknown, ...path: string[]): readonly unknown[] {
  const list = pick(value, ...path);
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}
