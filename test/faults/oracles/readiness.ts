import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import { isOk, isParent } from './accessors.ts';
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
      const what =
        owner &&
        (generationBreach(told, owner) ??
          sumBreach(told) ??
          earlyBreach(pass, call, { told, owner, trace }) ??
          readyBreach(pass, call, { told, owner, trace }));
      return what === undefined ? [] : [{ what: `${nameOf(call.ref)} ${what}`, at: call.at }];
    }),
  );
}

/** A pass that leaves something to the next one says the generation of before, and that all of it is under way. */
function generationBreach(told: unknown, owner: KubeObject): string | undefined {
  const generation = pick(told, 'observedGeneration');
  if (generation === undefined || generation === owner.metadata.generation) return undefined;
  if (generation === (pick(owner, 'status', 'observedGeneration') ?? 0) && !isReady(told)) return undefined;
  return `says generation ${String(generation)}, and ${String(owner.metadata.generation)} was read`;
}

/** The pass that carries out a new generation reports it: its configuration is there by then, or it is said to be wrong. */
function earlyBreach(pass: Pass, call: TracedCall, { told, owner }: Told): string | undefined {
  const generation = pick(told, 'observedGeneration');
  if (owner.kind === 'Message' || generation === (pick(owner, 'status', 'observedGeneration') ?? 0)) return undefined;
  if (!isTrue(told, 'ConfigurationValid') || !isTrue(told, 'CertificatesReady')) return undefined;
  const written = writesOf(pass).findLast(({ call: other, role }) => role === 'config' && other.at < call.at);
  const config = written === undefined ? lastRead(pass, 'config', call.at).object : (written.call.body as KubeObject);
  const stale = config && unlikeSpec(config, owner);
  return stale === undefined ? undefined : `tells generation ${String(generation)}, and ${stale}`;
}

/** As kstatus has it: of what is not ready is said whether it is on its way or stuck; state and phase say the same. */
function sumBreach(told: unknown): string | undefined {
  const [state, conditions] = [pick(told, 'state') ?? pick(told, 'phase'), listAt(told, 'conditions')];
  if (conditions.length === 0 || state === 'Terminating') return undefined;
  const isGood = state === 'Running' || state === 'Processed';
  const wanted = { Ready: isGood, Reconciling: !isGood && state !== 'Failed', Stalled: state === 'Failed' };
  const wrong = Object.entries(wanted).find(([type, holds]) => isTrue(told, type) !== holds);
  return wrong && `is ${String(state)}, and says of ${wrong[0]} that it is ${wrong[1] ? 'not true' : 'true'}`;
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
  const stale = unlikeSpec(lastRead(pass, 'config', call.at).object, owner);
  if (stale !== undefined) return `is called Running, and ${stale}`;
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

/** Where the tunnel's configuration says otherwise than the spec that was read; found without the code that makes it. */
export function unlikeSpec(
  config: KubeObject | undefined,
  { spec }: KubeObject & { readonly spec?: unknown },
): string | undefined {
  const [proxy] = listAt(JSON.parse(String(pick(config, 'data', 'frpc.json') ?? '{}')), 'proxies');
  const wants = (field: string): unknown => pick(spec, 'expose', field);
  const isReachable =
    pick(spec, 'serviceType') !== 'http' || [wants('subdomain'), ...listAt(wants('domains'))].some(Boolean);
  const wanted: Readonly<Record<string, unknown>> = {
    type: isReachable ? pick(spec, 'serviceType') : undefined,
    remotePort: wants('remotePort'),
    subdomain: wants('subdomain'),
    customDomains: wants('domains'),
    locations: isReachable ? wants('locations') : undefined,
  };
  const wrong = Object.entries(wanted).find(([field, value]) => asText(pick(proxy, field)) !== asText(value));
  return wrong && `the ${wrong[0]} of its tunnel is ${asText(pick(proxy, wrong[0]))}, not ${asText(wrong[1])}`;
}

function asText(value: unknown): string {
  return JSON.stringify(Array.isArray(value) ? [...new Set(value)].sort() : (value ?? [])).toLowerCase();
}

const startedFrom: ReadonlySet<string> = new Set(['tunnel', 'config', 'tls', 'identity']);

function isReady(told: unknown): boolean {
  return isTrue(told, 'Ready');
}

function isTrue(told: unknown, type: string): boolean {
  return listAt(told, 'conditions').some((one) => pick(one, 'type') === type && pick(one, 'status') === 'True');
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
