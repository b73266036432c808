import { describe, type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import { type Account, type Binding, placeOf, type Right } from '../../packages/controller/domain/rights.ts';

/** An object with as much of it as the checks look at. */
export interface Thing extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: { readonly conditions?: readonly Condition[] } & Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** What could be read, or why it could not. */
export type Read<Value> = { readonly value: Value } | { readonly why: string };

/** Lists of a cluster, by what they are of. */
export interface Lists {
  readonly definitions: readonly Thing[];
  readonly sources: readonly Thing[];
  readonly pings: readonly Thing[];
  /** The Pods of the sources' adapters. */
  readonly adapters: readonly Thing[];
  readonly adapterDeployments: readonly Thing[];
  /** In the namespace of Knative Eventing. */
  readonly eventingDeployments: readonly Thing[];
  /** In that of Knative Serving. */
  readonly servingDeployments: readonly Thing[];
  /** Of the networking layer, wherever that is. */
  readonly ingressDeployments: readonly Thing[];
  readonly brokers: readonly Thing[];
  /** ConfigMaps that the Brokers name: they say which channel. */
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
  /** Of Knudge's namespace: one of them keeps when the last resync was. */
  readonly leases: readonly Thing[];
  /** ConfigMaps with a server profile. */
  readonly profiles: readonly Thing[];
  /** DistributedServices and Messages. */
  readonly parents: readonly Thing[];
}

/** Whether somebody may do something, as the cluster's authorizer says. */
export interface Allowed {
  readonly who: Account;
  readonly right: Right;
  readonly allowed: boolean;
}

/** Everything that was read of a cluster: what the checks judge. */
export type Seen = { readonly [List in keyof Lists]: Read<Lists[List]> } & {
  /** Seconds since 1970. */
  readonly now: number;
  readonly allowed: Read<readonly Allowed[]>;
  /** Why the FRP server of a profile, `host:port`, cannot be reached from here; undefined where it can. */
  readonly unreachable: ReadonlyMap<string, string | undefined>;
  readonly openDeadLetters: Read<number>;
  /** ValidatingAdmissionPolicies and their bindings; undefined where the cluster does not know of such, as a mesh on this machine. */
  readonly policies: Read<readonly Thing[] | undefined>;
  /** The APIs of Knative that the cluster does not have: `eventing.knative.dev/v1`. */
  readonly unserved: Read<readonly string[]>;
};

/** What should be there: the objects of crds/, eventing/ and deploy/, in the namespace that Knudge is in. */
export interface Wanted {
  readonly namespace: string;
  readonly objects: readonly Thing[];
  /** Those of deploy/ itself, where an overlay was installed. */
  readonly base?: readonly Thing[];
  /** The file that has nothing but such an object and its rights; absent where an overlay or a namespace has changed it. */
  readonly fileOf?: (object: Thing) => string | undefined;
}

/** What the manifests have of a kind. */
export function wantedOf({ objects }: Wanted, group: string, kind: string): readonly Thing[] {
  return objects.filter((one) => one.kind === kind && one.apiVersion.startsWith(`${group}/`));
}

export function conditionOf({ status }: Thing, type: string): Condition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

/** The one of the same namespace and name. */
export function sameAs({ metadata }: KubeObject): (other: KubeObject) => boolean {
  return (other) => other.metadata.name === metadata.name && other.metadata.namespace === metadata.namespace;
}

/** Whether a Broker or a source is one of a mesh on this machine: its address is, or that of whom it sends to. */
export function runsHere({ status }: Thing): boolean {
  const address = at(status, 'address', 'url') ?? at(status, 'sinkUri');
  return typeof address === 'string' && /^https?:\/\/(127\.|localhost[:/]|\[::1\])/.test(address);
}

export function nameOf(object: KubeObject): string {
  return describe(refOf(object));
}

/** Where a binding lends what it does. */
export function whereOf(binding: Binding): string {
  const namespace = placeOf(binding);
  return namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
}

/** A field some levels down; undefined where the way ends before. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null
        ? Object.entries(found).find(([name]) => name === key)?.[1]
        : undefined,
    value,
  );
}
