import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace, TracedCall, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { keyOfObject } from './accessors.ts';

/** A change with what was there before it, in the trace of any run. */
export type FullChange = Omit<TracedChange, 'before'> & { readonly before: KubeObject | undefined };

/** What the API server held at any moment of a run. */
export interface History {
  readonly changes: readonly FullChange[];
  /** Everything that was there just before this moment. */
  stateBefore(at: number): ReadonlyMap<string, KubeObject>;
  /** When this very version of this very object was written: -1 before the trace began. */
  writtenAt(object: KubeObject): number;
  /** The changes that a call made. */
  madeBy(call: TracedCall): readonly FullChange[];
}

/** Each trace is gone through once, however many oracles ask. */
export function historyOf(trace: Trace): History {
  const known = histories.get(trace) ?? makeHistory(trace);
  histories.set(trace, known);
  return known;
}

const histories = new WeakMap<Trace, History>();

function makeHistory(trace: Trace): History {
  const initial = initialState(trace);
  const changes = withBefore(initial, trace.changes);
  const versions = new Map(changes.map(({ at, object }) => [versionOf(object), at]));
  const effects = Map.groupBy(
    changes.filter(({ by }) => by.who === 'run'),
    ({ by }) => (by.who === 'run' ? by.call : -1),
  );
  return {
    changes,
    stateBefore: (at) => {
      const state = new Map(initial);
      for (const change of changes) {
        if (change.at >= at) break;
        step(state, change);
      }
      return state;
    },
    writtenAt: (object) => versions.get(versionOf(object)) ?? -1,
    madeBy: (call) => effects.get(call.at) ?? [],
  };
}

/** From the end backwards: what each object was before its first change. */
function initialState({ objects, changes }: Trace): ReadonlyMap<string, KubeObject> {
  const state = new Map(objects.map((object) => [keyOfObject(object), object]));
  for (const { type, object, before } of changes.toReversed()) {
    const key = keyOfObject(object);
    if (type === 'ADDED') state.delete(key);
    else state.set(key, before ?? object);
  }
  return state;
}

function withBefore(initial: ReadonlyMap<string, KubeObject>, changes: readonly TracedChange[]): readonly FullChange[] {
  const state = new Map(initial);
  return changes.map((change) => {
    const before = change.type === 'ADDED' ? undefined : (change.before ?? state.get(keyOfObject(change.object)));
    step(state, change);
    return { ...change, before };
  });
}

function step(state: Map<string, KubeObject>, { type, object }: Pick<TracedChange, 'type' | 'object'>): void {
  if (type === 'DELETED') state.delete(keyOfObject(object));
  else state.set(keyOfObject(object), object);
}

function versionOf({ metadata }: KubeObject): string {
  return `${metadata.uid ?? ''} ${metadata.resourceVersion ?? ''}`;
}
