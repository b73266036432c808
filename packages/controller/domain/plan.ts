import type { Outgoing } from './change.ts';
import type { Condition } from './conditions.ts';
import { type FieldPath, type KubeObject, type ObjectRef, refOf } from './kube-object.ts';

/** What a write insists on: the object must still be this one, in this version (rule R2). */
export interface Precondition {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** A read that the owner's spec asks for, besides the children. */
export type Query =
  | {
      readonly what: 'object';
      readonly ref: ObjectRef;
      /** Its data is nobody's business. */
      readonly metadataOnly?: boolean;
    }
  | {
      readonly what: 'list';
      readonly apiVersion: string;
      readonly kind: string;
      readonly namespace: string;
      readonly labelSelector: string;
      /** As `spec.a=b,spec.c!=d`, of fields that the kind can be selected by; absent or empty means everything. */
      readonly fieldSelector?: string;
      /** Only names, labels and owners are asked for. */
      readonly metadataOnly?: boolean;
    };

/** Everything a decision rests on. Children were read before the owner, the owner before its inputs (rule R1). */
export interface Observed<Owner extends KubeObject = KubeObject> {
  readonly owner: Owner;
  /** By role; undefined where the API server said that no such object exists. */
  readonly children: ReadonlyMap<string, KubeObject | undefined>;
  /** By the name that the resource gave the query. */
  readonly inputs: ReadonlyMap<string, readonly KubeObject[]>;
}

/** A Kubernetes Event for people: written after the status, only when something happened. */
export interface Notice {
  /** The writes that it reports: once they are made it is due, even where a later write fails. Without it, all writes of the plan. */
  readonly of?: readonly ObjectRef[];
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
}

/** Pods that should read at once what they have mounted: a changed annotation makes the kubelet do that. Made after the rest. */
export interface Nudge {
  /** What they have mounted, which the plan writes. */
  readonly about: ObjectRef;
  readonly namespace: string;
  readonly labelSelector: string;
  readonly annotations: Readonly<Record<string, string>>;
}

export type Write =
  | {
      readonly do: 'create';
      readonly object: KubeObject;
      /** Others may make it too: who comes second goes on, and the next pass sees whose it is. */
      readonly mayExist?: true;
    }
  | {
      readonly do: 'apply';
      readonly object: KubeObject;
      readonly live: KubeObject;
      /** Fields that must not stay on the live object, although another field manager owns them; `object` does not name them. */
      readonly strays?: readonly FieldPath[];
    }
  | {
      readonly do: 'delete';
      readonly ref: ObjectRef;
      readonly precondition: Precondition;
      /** Foreground: the object goes only after everything it owns has gone. */
      readonly propagation: 'Background' | 'Foreground';
      /** Time alone has brought it, which no event reports: it repairs nothing. */
      readonly byClock?: true;
    }
  | { readonly do: 'scale'; readonly ref: ObjectRef; readonly precondition: Precondition; readonly replicas: number }
  | { readonly do: 'finalizers'; readonly finalizers: readonly string[] }
  | { readonly do: 'status'; readonly status: Status };

export interface Status {
  readonly conditions: readonly Condition[];
  readonly observedGeneration?: number;
}

/** What to write, in this order; the finalizer first and the status last. */
export interface Plan {
  readonly writes: readonly Write[];
  readonly notices: readonly Notice[];
  readonly nudge?: Nudge;
  /** Look again at once after the writes: the next step needs what they made. */
  readonly again: boolean;
}

/**
 * What a write would change of an object: the parts that it touches, before and after it. A creation and a deletion say it themselves,
 * and what an apply finds is its `live`: they leave out what is known so. `before` is absent too where nobody has read the object.
 */
export interface Foreseen {
  readonly before?: object;
  readonly after?: object;
  /** Of a Secret, whose values nobody shows: the keys of its data that would get another one. */
  readonly keys?: readonly string[];
  /** Why the API server refused to try the write; `after` is then what the function expects of it. */
  readonly refusal?: string;
}

/** What a dry run would write for one parent. */
export interface ParentPlan {
  readonly ref: ObjectRef;
  readonly plan: Plan;
  /** One for each write, in their order. */
  readonly changes?: readonly Foreseen[];
}

/** A write that the API server refused for good; the next decision turns it into a condition. */
export interface Refusal {
  readonly code: string;
  readonly ref: ObjectRef;
  readonly message: string;
}

/** What came of one reconcile, or of one event. */
export interface Outcome {
  readonly result: 'done' | 'gone' | 'ignored' | 'planned';
  readonly reads: number;
  readonly writes: number;
  /** The parents that were reconciled, found gone or planned for, or for which the event held nothing new. */
  readonly parents?: readonly ObjectRef[];
  /** The plan of a dry run. */
  readonly plans?: readonly ParentPlan[];
  /** Events that were sent to the Broker, and those that it did not take. */
  readonly events?: { readonly sent: number; readonly failed: number };
  /** The event to answer with, which the Broker takes as a new one. Never from a change of an object. */
  readonly reply?: Outgoing;
}

/** What a write is about; `owner` is the parent whose plan it is of. */
export function targetOf(write: Write, owner: ObjectRef): ObjectRef {
  switch (write.do) {
    case 'create':
    case 'apply':
      return refOf(write.object);
    case 'delete':
    case 'scale':
      return write.ref;
    case 'finalizers':
    case 'status':
      return owner;
  }
}
