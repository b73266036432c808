import type { ListQuery } from '../../cluster/pages.ts';
import type { Resource } from '../../decide/resource.ts';
import type { KubeObject, ObjectRef } from '../../domain/kube-object.ts';
import type { Handler } from '../../domain/ports.ts';
import type { Step } from './steps.ts';

/** The resources, and the scenarios in which every single fault is tried. */
export interface FaultSuite {
  /** Your resources, as they are given to a controller. */
  readonly resources: readonly Resource[];
  /** The definitions of their kinds, and of others that they read: parsed YAML of CustomResourceDefinitions. */
  readonly crds: readonly KubeObject[];
  /**
   * The functions that wake a parent by what is neither the parent nor one of its children. A row for a kind of these
   * takes the place of the kit's own.
   */
  readonly handlers?: readonly ChangeHandler[];
  readonly scenarios: readonly FaultScenario[];
  /** Is called after each run: how many are done, and of how many in this scenario. */
  readonly onProgress?: (scenario: string, done: number, of: number) => void;
}

/** A function that changes of one kind wake. */
export interface ChangeHandler {
  /** As `group/Kind`; of the core group `/Kind`. */
  readonly kind: string;
  readonly handle: Handler;
}

/** What happens in a cluster. Every fault comes while the steps are taken. */
export interface FaultScenario {
  readonly name: string;
  /** What is there before, all at rest. */
  readonly given?: readonly KubeObject[];
  /** Each is taken when all that followed from the one before has come to rest. */
  readonly steps: readonly Step[];
  /** Says by an exception what is wrong with the end. It is not called where a fault alters the end: somebody deleted the parent, say. */
  readonly expect?: (end: EndOfScenario) => void;
}

/** The cluster when all is at rest. */
export interface EndOfScenario {
  get(ref: ObjectRef): KubeObject | undefined;
  /** Without a namespace: of all. */
  list(query: Pick<ListQuery, 'apiVersion' | 'kind'> & { readonly namespace?: string }): readonly KubeObject[];
}

/** One run that did not end as it should. */
export interface FaultFailure {
  readonly scenario: string;
  /** What went wrong, as `W14-500`; `nothing` for the run without a fault. */
  readonly fault: string;
  /** At which call or event, as `create configmaps ada-hello (1)`. */
  readonly at: string;
  /** Which promise was broken. */
  readonly oracle: string;
  /** How, in a sentence. */
  readonly what: string;
}

/** What the runs of a suite have found. */
export interface FaultsFound {
  /** Runs with one fault each. */
  readonly plans: number;
  /** API calls of the runs without a fault. */
  readonly calls: number;
  /** The first few of each run. */
  readonly failures: readonly FaultFailure[];
}
