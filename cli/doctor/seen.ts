import type { OwnSeen, Read, Thing } from '../../packages/controller/doctor/own-checks.ts';
import type { LiveCondition } from '../../packages/controller/domain/conditions.ts';
import type { Gap } from '../../packages/controller/domain/event-log.ts';
import { describe, type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import { type Account, type Binding, placeOf, type Right } from '../../packages/controller/domain/rights.ts';

/** Lists of objects of a cluster. */
export interface Lists {
  readonly definitions: readonly Thing[];
  readonly sources: readonly Thing[];
  readonly pings: readonly Thing[];
  /** The Pods of the sources' adapters. */
  readonly adapters: readonly Thing[];
  readonly adapterDeployments: readonly Thing[];
  /** Deployments in the namespace of Knative Eventing. */
  readonly eventingDeployments: readonly Thing[];
  /** Deployments in the namespace of Knative Serving. */
  readonly servingDeployments: readonly Thing[];
  /** Deployments of the networking layer, in any namespace. */
  readonly ingressDeployments: readonly Thing[];
  readonly brokers: readonly Thing[];
  /** ConfigMaps that the Brokers name: they say which channel to use. */
  readonly brokerConfigs: readonly Thing[];
  readonly triggers: readonly Thing[];
  /** Channels and their Subscriptions. */
  readonly channels: readonly Thing[];
  /** Knative Services. */
  readonly functions: readonly Thing[];
  /** Roles of both sorts, and their bindings. */
  readonly roles: readonly Thing[];
  /** ServiceAccounts of Knudge's namespace. */
  readonly accounts: readonly Thing[];
  /** Leases of Knudge's namespace: one of them keeps the time of the last resync. */
  readonly leases: readonly Thing[];
  /** The objects of every custom resource that the controller reconciles. */
  readonly parents: readonly Thing[];
}

/** Whether an account may do something, as the cluster's authorizer says. */
export interface Allowed {
  readonly who: Account;
  readonly right: Right;
  readonly allowed: boolean;
}

/** What the event log says of itself. */
export interface LogSeen {
  /** Why it is not ready, or that it gives no answer; undefined if it is ready. */
  readonly trouble: string | undefined;
  /** The times in which events came and could not be recorded. */
  readonly gaps: readonly Gap[];
}

/** Everything that was read from a cluster: the checks judge it. */
export type Seen = { readonly [List in keyof Lists]: Read<Lists[List]> } & {
  /** Seconds since 1970. */
  readonly now: number;
  readonly allowed: Read<readonly Allowed[]>;
  /** What the checks that the controller brings have asked for. */
  readonly own: Omit<OwnSeen, 'parents'>;
  readonly openDeadLetters: Read<number>;
  readonly log: Read<LogSeen>;
  /** ValidatingAdmissionPolicies and their bindings; undefined if the cluster does not serve them. */
  readonly policies: Read<readonly Thing[] | undefined>;
  /** The APIs of Knative that the cluster does not have: `eventing.knative.dev/v1`. */
  readonly unserved: Read<readonly string[]>;
};

/** What should be there: the objects of crds/, eventing/ and deploy/, in the namespace of Knudge. */
export interface Wanted {
  readonly namespace: string;
  readonly objects: readonly Thing[];
  /** The objects of deploy/ itself, if an overlay was installed. */
  readonly base?: readonly Thing[];
  /** The file that holds only this object and its rights; absent if an overlay or a namespace has changed it. */
  readonly fileOf?: (object: Thing) => string | undefined;
}

/** The objects of a kind in the manifests. */
export function wantedOf({ objects }: Wanted, group: string, kind: string): readonly Thing[] {
  return objects.filter((one) => one.kind === kind && one.apiVersion.startsWith(`${group}/`));
}

export function conditionOf({ status }: Thing, type: string): LiveCondition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

/** Whether another object has the same namespace and name. */
export function sameAs({ metadata }: KubeObject): (other: KubeObject) => boolean {
  return (other) => other.metadata.name === metadata.name && other.metadata.namespace === metadata.namespace;
}

/** Whether a Broker or a source belongs to a mesh on this machine, by its address or by the address it sends to. */
export function runsHere({ status }: Thing): boolean {
  const address = at(status, 'address', 'url') ?? at(status, 'sinkUri');
  return typeof address === 'string' && /^https?:\/\/(127\.|localhost[:/]|\[::1\])/.test(address);
}

/** Whether this is a mesh: its sources, Broker and functions run on this machine and not in Pods. */
export function isMesh({ brokers, sources, pings }: Pick<Seen, 'brokers' | 'sources' | 'pings'>): boolean {
  return [brokers, sources, pings].some((list) => 'value' in list && list.value.some(runsHere));
}

export function nameOf(object: KubeObject): string {
  return describe(refOf(object));
}

/** The place in which a binding grants its rights. */
export function whereOf(binding: Binding): string {
  const namespace = placeOf(binding);
  return namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
}

/** A field some levels down; undefined if the path ends before. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null
        ? Object.entries(found).find(([name]) => name === key)?.[1]
        : undefined,
    value,
  );
}
