import type { Truth } from './churn.ts';
import type { Told } from './sink.ts';

/** What was reported, compared with what is true. */
export interface Verdict {
  /** Messages whose last state, or whose end, was not reported, although an earlier state was or should have been. */
  readonly lost: number;
  /** Those of them that are deleted. */
  readonly lostEnds: number;
  /** Messages that came and went and of which nothing at all was reported: no receiver believes anything wrong. */
  readonly unseen: number;
  readonly events: number;
  /** Events with an id that came before, or of the same object, version and verb. */
  readonly doubled: number;
  /** Events of a state that was reported before with any verb, with those of `doubled`. */
  readonly repeated: number;
}

/** Judges what was reported of these objects. */
export function verdictOf(truth: ReadonlyMap<string, Truth>, all: readonly Told[]): Verdict {
  const byUid = Map.groupBy(all, ({ uid }) => uid);
  const objects = [...truth].map(([uid, one]) => ({ one, heard: byUid.get(uid) ?? [] }));
  const gone = objects.filter(({ one }) => one.isGone);
  const unseen = gone.filter(({ heard }) => heard.length === 0).length;
  const lostEnds = gone.filter(({ heard }) => heard.length > 0 && heard.every(({ verb }) => verb !== 'delete')).length;
  const behind = objects.filter(({ one, heard }) => !one.isGone && newestOf(heard) < Number(one.version)).length;
  return { lost: lostEnds + behind, lostEnds, unseen, events: all.length, ...repetitionsIn(all) };
}

function newestOf(heard: readonly Told[]): number {
  return Math.max(0, ...heard.filter(({ verb }) => verb !== 'delete').map(({ version }) => Number(version)));
}

function repetitionsIn(all: readonly Told[]): Pick<Verdict, 'doubled' | 'repeated'> {
  const seen = new Set<string>();
  let [doubled, repeated] = [0, 0];
  for (const { id, uid, version, verb } of all) {
    const state = verb === 'delete' ? `${uid} gone` : `${uid} ${version}`;
    const [ofId, ofEvent, ofState] = [`id ${id}`, `event ${uid} ${version} ${verb}`, `state ${state}`];
    if (seen.has(ofId) || seen.has(ofEvent)) doubled += 1;
    if (seen.has(ofState)) repeated += 1;
    for (const key of [ofId, ofEvent, ofState]) seen.add(key);
  }
  return { doubled, repeated };
}
