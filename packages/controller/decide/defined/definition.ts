import type { Budget } from '../../domain/budget.ts';
import type { KubeObject, ObjectMeta, ObjectRef } from '../../domain/kube-object.ts';
import type { Observed } from '../../domain/plan.ts';
import type { Given, Resource } from '../resource.ts';
import type { Ready } from './ready.ts';

/** A child by its kind and name; it is in the namespace of its owner. */
export interface ChildName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** It may not be changed once it is made: one that differs is deleted, and made again. At most one child of a resource is such a one. */
  readonly never?: 'changed';
}

/**
 * What a child should be: its spec, data or other fields, and labels and annotations of its own. `children` says what it is, and the
 * engine puts that in: so nothing is written but what was read (R1), and only in the namespace of the owner.
 */
export interface Child {
  readonly [field: string]: unknown;
  readonly apiVersion?: never;
  readonly kind?: never;
  readonly metadata?: Pick<ObjectMeta, 'labels' | 'annotations'> & {
    readonly name?: never;
    readonly namespace?: never;
  };
}

type ByRole<Role extends string, Value> = Readonly<Record<Role, Value>>;

/** What was read: the children before the owner, the owner before its inputs (R1). */
export interface Seen<Owner extends KubeObject, Role extends string> {
  readonly owner: Owner;
  readonly children: ByRole<Role, KubeObject | undefined>;
  /** What each child is called, whether it is there or not, in at most 63 characters: for a child that names another, and for the status. */
  readonly names: ByRole<Role, string>;
  readonly inputs: Observed['inputs'];
}

/** How far the engine is with an owner. */
export interface Verdict {
  readonly state: 'pending' | 'ready' | 'failed';
  readonly reason: string;
  readonly message: string;
  /** The reason of the Kubernetes Event that says so, if not that of the condition. */
  readonly event?: string;
}

/** A custom resource by what should be there for it. */
export interface ResourceDefinition<Owner extends KubeObject, Role extends string>
  extends Pick<Resource, 'apiVersion' | 'kind' | 'consult'> {
  /**
   * Every child that may be made, from the owner's name alone. The engine shortens a name past 63 characters, which not every kind takes,
   * and ends it with a hash.
   */
  readonly children: (owner: ObjectRef) => ByRole<Role, ChildName>;
  /** What each child should be: the engine adds kind, name, owner, labels and hash; undefined: it should not be there. */
  readonly desired: (seen: Seen<Owner, Role>, given: Given) => ByRole<Role, Child | undefined>;
  /** Whether what is there does what the owner wants. It is asked where nothing else is wrong with the children. */
  readonly ready: (seen: Seen<Owner, Role>) => Ready;
  /** What the status says besides what the engine writes there: ToldStatus. */
  readonly status?: (verdict: Verdict, seen: Seen<Owner, Role>) => object;
  /** What to read besides the children; none if absent. */
  readonly inputs?: Resource['inputs'];
  /** What those reads may cost; nothing if absent. */
  readonly cost?: (owner: Owner) => Pick<Budget, 'reads' | 'writes'>;
}
