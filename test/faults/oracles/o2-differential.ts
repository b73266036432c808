import { canonical } from '../../../src/decide/canonical.ts';
import { type KubeObject, refOf } from '../../../src/domain/kube-object.ts';
import { labels } from '../../../src/domain/names.ts';
import type { Oracle, Trace } from '../trace.ts';
import { findings, keyOfObject, parentsIn, roleKeysOf } from './accessors.ts';
import { compare, masked, type Side } from './differences.ts';
import { inNamespaces } from './same-place.ts';

/**
 * O2: at rest all is as after the same scenario without faults, through the masks. Where somebody else's write, which a
 * fault may be, left a parent or what it hangs on in another form, that parent and its children are not compared: O1
 * judges them alone.
 */
export const differential: Oracle = (trace, clean) => {
  const { found, say } = findings('O2');
  if (clean === undefined) return found;
  const excused = excusedKeys(trace, clean);
  const side = (of: Trace): Side => ({
    trace: of,
    objects: of.resting.filter((object) => !excused.has(keyIn(of, object))),
  });
  for (const difference of compare(side(clean), side(trace))) say(`not as without faults: ${difference}`);
  return found;
};

/** What a person's extra writes have changed for good, and all that follows from it. */
function excusedKeys(trace: Trace, clean: Trace): ReadonlySet<string> {
  const extra = extraWrites(trace, clean);
  if (extra.size === 0) return extra;
  const [theirs, ours] = [wishesOf(trace), wishesOf(clean)];
  const changed = [...extra].filter((key) => theirs.get(key) !== ours.get(key));
  const excused = new Set(changed);
  const parents = [...parentsIn(trace.resting), ...parentsIn(clean.resting)];
  const childKeys = new Set(parents.flatMap((parent) => keysOf(parent, trace, clean)));
  const isInput = (key: string): boolean => !childKeys.has(key);
  const all = changed.some((key) => isInput(key));
  for (const parent of parents) {
    const keys = keysOf(parent, trace, clean);
    if (all || keys.some((key) => excused.has(key))) for (const key of keys) excused.add(key);
  }
  if (all) for (const object of trace.resting) if (isAuthority(object)) excused.add(keyIn(trace, object));
  if (all) for (const object of clean.resting) if (isAuthority(object)) excused.add(keyIn(clean, object));
  return excused;
}

function isAuthority({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.authority] !== undefined;
}

/** Objects that persons wrote more often, or more seldom, than in the run without faults. */
function extraWrites(trace: Trace, clean: Trace): ReadonlySet<string> {
  const [mine, theirs] = [countsOf(trace), countsOf(clean)];
  return new Set([...new Set([...mine.keys(), ...theirs.keys()])].filter((key) => mine.get(key) !== theirs.get(key)));
}

function countsOf(trace: Trace): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { by, object } of trace.changes) {
    if (by.who !== 'user') continue;
    const key = keyIn(trace, object);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** What persons want at the end: of a parent its spec, of what is ours nothing, of all else everything. */
function wishesOf(trace: Trace): ReadonlyMap<string, string> {
  const shown = masked({ trace, objects: trace.resting });
  const values = [...shown.values()];
  const parents = new Set(parentsIn(trace.resting).map((object) => keyIn(trace, object)));
  return new Map(
    values.flatMap((value) => {
      const object = value as KubeObject & { readonly spec?: unknown };
      const key = keyOfObject(object);
      if (object.metadata.labels?.[labels.managedBy] !== undefined) return [];
      const isLeaving = object.metadata.deletionTimestamp !== undefined;
      return [[key, canonical(parents.has(key) ? [object.spec, isLeaving] : value)] as const];
    }),
  );
}

/** The parent and every child it may have. */
function keysOf(parent: KubeObject, trace: Trace, clean: Trace): readonly string[] {
  const home = [trace, clean].find((one) => one.resting.includes(parent)) ?? trace;
  const keys = [keyOfObject(parent), ...roleKeysOf(refOf(parent)).keys()];
  return keys.map((key) => inNamespaces(home, key));
}

/** A key that is the same in both runs, whatever their namespaces are called. */
function keyIn(trace: Trace, object: KubeObject): string {
  return inNamespaces(trace, keyOfObject(object));
}
