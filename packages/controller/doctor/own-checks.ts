import type { LiveCondition } from '../domain/conditions.ts';
import type { KubeObject } from '../domain/kube-object.ts';
import type { Found } from './finding.ts';

/** An object with the fields that the checks read. */
export interface Thing extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: { readonly conditions?: readonly LiveCondition[] } & Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
}

/** What could be read, or why it could not be read. */
export type Read<Value> = { readonly value: Value } | { readonly why: string };

/** A kind of objects that a check reads, in all namespaces. */
export interface Listed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly labelSelector?: string;
}

/** What checks of a controller's own judge. */
export interface OwnSeen {
  /** The objects of every custom resource of the controller. */
  readonly parents: Read<readonly Thing[]>;
  /** What `OwnChecks.lists` asks for, by the same names. */
  readonly lists: Readonly<Record<string, Read<readonly Thing[]>>>;
  /** Why an address of `OwnChecks.addresses`, `host:port`, cannot be reached from here; undefined if it can. */
  readonly unreachable: ReadonlyMap<string, string | undefined>;
}

/** Checks that a controller brings for its own resources, besides those that `knudge doctor` has for all. */
export interface OwnChecks {
  readonly lists?: Readonly<Record<string, Listed>>;
  /** Servers outside of the API server that should take a TCP connection. */
  readonly addresses?: (lists: OwnSeen['lists']) => readonly { readonly host: string; readonly port: number }[];
  /** Each by the name under which its findings are shown. */
  readonly judges: Readonly<Record<string, (seen: OwnSeen) => readonly Found[]>>;
}
