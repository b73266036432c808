import { describe, type KubeObject, refOf } from '../domain/kube-object.ts';
import type { Right } from '../domain/rights.ts';

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
  /** Of Knudge's namespace: one of them keeps when the last resync was. */
  readonly leases: readonly Thing[];
  /** ConfigMaps with a server profile. */
  readonly profiles: readonly Thing[];
  /** DistributedServices and Messages. */
  readonly parents: readonly Thing[];
}

/** Whether somebody may do something, as the cluster's authorizer says. */
export interface Allowed {
  /** `ServiceAccount knudge/cluster-objects`. */
  readonly who: string;
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
};

/** What should be there: the objects of crds/, eventing/ and deploy/, in the namespace that Knudge is in. */
export interface Wanted {
  readonly namespace: string;
  readonly objects: readonly Thing[];
  /** The folder of deploy/overlays that they are of; absent: deploy/ itself. */
  readonly overlay?: string;
}

/** What people type to have a file or a folder of the project applied: with an overlay all of it, since only so is it patched. */
export function applyOf({ overlay }: Wanted, path: string): string {
  return overlay === undefined ? `kubectl apply -f ${path}` : `kubectl apply -k deploy/overlays/${overlay}`;
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

export function nameOf(object: KubeObject): string {
  return describe(refOf(object));
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
