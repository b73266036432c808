import { deletion, isLeaving } from '../../packages/controller/decide/children.ts';
import { belongsTo } from '../../packages/controller/decide/owned.ts';
import { hasEnded } from '../../packages/controller/decide/pod-state.ts';
import { describe, type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { Observed, Write } from '../../packages/controller/domain/plan.ts';
import { secondsOf } from '../../packages/controller/domain/time.ts';
import { giveBack } from './claims/claims.ts';
import type { Given } from './given.ts';
import { inputs } from './inputs.ts';
import { cleanupFinalizer, labels } from './names.ts';
import type { DistributedService } from './types.ts';

/** Seconds after which the status reports a deletion that has not finished as blocked. */
const cleanupDeadline = 300;

export interface Cleanup {
  readonly writes: readonly Write[];
  /** The objects that the present step waits for. The next step begins when they are gone. */
  readonly remaining: readonly KubeObject[];
  readonly blocked: boolean;
  /** Nothing of ours is left, so these writes remove the finalizer. */
  readonly done: boolean;
}

/**
 * The next step of a deletion. First Knudge deletes the tunnel with all its Pods: then the service is out of the FRP server. Then it deletes
 * the identity, the certificates and the other children. When no read finds any of them it releases the Claims and, last, removes the
 * finalizer. Each pass finds its step from what exists, so that a crash between two steps loses nothing.
 */
export function planCleanup(observed: Observed<DistributedService>, given: Given): Cleanup {
  const { owner, children, inputs: found } = observed;
  const { now } = given;
  const ours = [...children].flatMap(([role, child]) =>
    child !== undefined && belongsTo(child, owner) === 'ours' ? [[role, child] as const] : [],
  );
  const tunnel = ours.filter(([role]) => role === 'tunnel');
  // Somebody may have deleted the Deployment and left its Pods: an frpc that runs is still a proxy at the FRP server.
  const pods = tunnel.length > 0 ? [] : (found.get(inputs.tunnelPods) ?? []).filter((pod) => !hasEnded(pod));
  const step = tunnel.length > 0 ? tunnel : pods.length > 0 ? [] : ours;
  const keepers = [...children.values()].flatMap((child) =>
    child && pods.some((pod) => selects(child, pod)) ? [child] : [],
  );
  const remaining = [...keepers, ...pods, ...step.map(([, child]) => child)];
  const blocked = secondsOf(now) - secondsOf(owner.metadata.deletionTimestamp ?? now) >= cleanupDeadline;
  const deletions = step
    .filter(([, child]) => !isLeaving(child))
    .map(([role, child]) => deletion(child, role === 'tunnel' ? 'Foreground' : 'Background'));
  if (remaining.length > 0) return { writes: deletions, remaining, blocked, done: false };
  const finalizers = (owner.metadata.finalizers ?? []).filter((name) => name !== cleanupFinalizer);
  return {
    writes: [...giveBack(observed, given), { do: 'finalizers', finalizers }],
    remaining,
    blocked: false,
    done: true,
  };
}

interface Selecting extends KubeObject {
  readonly spec?: { readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } };
}

/** Whether this Deployment makes the Pod again. It is no longer ours, because somebody has removed the owner reference. */
function selects({ kind, spec }: Selecting, { metadata }: KubeObject): boolean {
  const selected = Object.entries(spec?.selector?.matchLabels ?? {});
  return (
    kind === 'Deployment' && selected.length > 0 && selected.every(([key, value]) => metadata.labels?.[key] === value)
  );
}

/** The sentence about the object that blocks a deletion, with the command that shows it and the one that removes it. */
export function blockedMessage({ metadata }: DistributedService, remaining: readonly KubeObject[]): string {
  const [first] = remaining;
  if (first === undefined) return '';
  const { kind, namespace, name } = refOf(first);
  const held = first.metadata.finalizers ?? [];
  const by = held.length === 0 ? '' : ` It is held by ${held.join(', ')}.`;
  const kubectl = `kubectl --namespace ${namespace}`;
  const target = `${kind.toLowerCase()} ${name}`;
  const pods = `${labels.tunnel}=${metadata.name},${labels.ownerUid}=${metadata.uid ?? ''}`;
  const free = isLeaving(first)
    ? {
        // A Deployment that is deleted in the foreground waits for its Pods, and a Pod for its node.
        pods: `${kubectl} delete pods --selector ${pods} --force --grace-period=0`,
        finalizers: `${kubectl} patch ${target} --type merge --patch '{"metadata":{"finalizers":null}}'`,
      }[held.every((finalizer) => finalizer === foregroundDeletion) ? 'pods' : 'finalizers']
    : // A Pod that nobody has deleted is brought back by the ReplicaSet that is left of its Deployment.
      { pods: `${kubectl} delete replicasets,pods --selector ${pods}`, others: `${kubectl} delete ${target}` }[
        kind === 'Pod' ? 'pods' : 'others'
      ];
  const gone = `${describe(refOf(first))} has not gone for ${String(cleanupDeadline)} seconds.${by}`;
  return `${gone} Look with: ${kubectl} get ${target} --output yaml; free it with: ${free}`;
}

/** The API server's finalizer for a deletion in the foreground, which waits for the objects that this one owns. */
const foregroundDeletion = 'foregroundDeletion';
