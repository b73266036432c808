import { isDeepStrictEqual } from 'node:util';
import { type Entry, present } from './cluster.ts';
import { type Course, type Heard, saidOf, say, viewOf } from './course.ts';
import { doubles } from './doubles.ts';
import { limits, longestRestartMs } from './lives.ts';
import type { Ran } from './run-calls.ts';
import { slowestMs, type Told } from './sink.ts';

export interface Judged {
  readonly wrongs: readonly string[];
  /** Events that said nothing which was not sent already. */
  readonly needless: number;
}

/** What the oracles say of a run; none of them knows how a source works. */
export function judge(ran: Ran): Judged {
  const wrongs: string[] = [];
  let needless = 0;
  for (const [watched, log] of ran.logs) {
    for (const place of new Set(log.map((entry) => entry.place))) {
      const course = courseOf(ran, { watched, place, log: log.filter((entry) => entry.place === place) });
      wrongs.push(...course.untrue);
      wrongs.push(...lastState(course, ran), ...deletions(course, ran), ...order(course));
      const counted = doubles(course, ran);
      wrongs.push(...counted.wrongs);
      needless += counted.needless;
    }
  }
  if (ran.toldByComparison > 0) wrongs.push(`O5: a comparison with the file told ${ran.toldByComparison} more`);
  for (const [index, rested] of ran.rested.entries()) if (!rested) wrongs.push(`O6: it did not come to rest, ${index}`);
  wrongs.push(...ran.said.filter((what) => !isExpected(what, ran)).map((what) => `O7: it said ${what}`));
  return { wrongs, needless };
}

/** O0: every event is about something that was so: each state and each deletion that it names is in the log. */
function courseOf(
  { told }: Ran,
  { watched, place, log }: Omit<Course, 'heard'>,
): Course & { readonly untrue: string[] } {
  const heard: Heard[] = [];
  const untrue: string[] = [];
  for (const [order, one] of told.entries()) {
    if (one.kind !== watched.kind || one.place !== place) continue;
    const index = indexOf(one, log);
    const entry = log[index];
    if (entry === undefined || !isLike(one, entry, log)) untrue.push(`O0: ${say(one)} is not so`);
    else heard.push({ told: one, order, entry, index });
  }
  return { watched, place, log, heard, untrue };
}

/** A deletion that was not seen names the version that was announced last: it is the next one of that object. */
function indexOf({ uid, version, verb }: Told, log: readonly Entry[]): number {
  const isEnd = verb === 'delete';
  return log.findIndex(
    (entry) =>
      entry.uid === uid &&
      (isEnd
        ? entry.type === 'DELETED' && entry.version >= version
        : entry.type !== 'DELETED' && entry.version === version),
  );
}

/** What is sent of a state is that state; who was concerned by what is gone stands in its labels. */
function isLike({ object, verb, version }: Told, entry: Entry, log: readonly Entry[]): boolean {
  if (object === undefined) return true;
  if (verb !== 'delete') return isDeepStrictEqual(object, entry.object);
  const announced = log.find((one) => one.version === version);
  return isDeepStrictEqual(object.metadata.labels, announced?.object.metadata.labels);
}

/**
 * O1: what was sent last of an object that is there is its last state, as far as anybody looks. Where two processes sent at the same
 * time, one of them may have been late: then its last state was sent after it had come about.
 */
function lastState({ watched, place, log, heard }: Course, { overlapped }: Ran): readonly string[] {
  const last = present(log).get(place);
  if (last === undefined) return [];
  const view = viewOf(last, watched);
  const isSo = (one: Heard | undefined): boolean => one !== undefined && viewOf(one.entry, watched) === view;
  if (isSo(heard.at(-1))) return [];
  const since = log.findLastIndex((entry) => viewOf(entry, watched) !== view) + 1;
  if (overlapped && heard.some((one) => isSo(one) && one.index >= since)) return [];
  return [`O1: of ${watched.kind} ${place} ${last.version} is not what was told last: ${saidOf(heard)}`];
}

/**
 * O2: the end of every object that was announced and is gone was sent, and nothing of it after that. Where two processes sent at the
 * same time, one of them may have been late.
 */
function deletions({ watched, place, log, heard }: Course, ran: Ran): readonly string[] {
  const wrongs: string[] = [];
  for (const [index, { type, uid, version }] of log.entries()) {
    if (type !== 'DELETED') continue;
    const isBack = log.some((entry, later) => later > index && entry.uid === uid);
    if (isBack) continue;
    const about = heard.filter(({ entry }) => entry.uid === uid);
    const wasAnnounced = about.some((one) => one.entry.type !== 'DELETED' && !isUnwritten(one, ran));
    const isTold = ran.overlapped ? about.some((one) => one.index === index) : about.at(-1)?.index === index;
    if (wasAnnounced && !isTold)
      wrongs.push(`O2: ${watched.kind} ${place} ${uid} went at ${version}: ${saidOf(heard)}`);
  }
  return wrongs;
}

/**
 * What was sent while the disk was full is nowhere if its process ends before there is room again and it has committed: of that object's
 * end nobody can tell. Docs/source.md says so.
 */
function isUnwritten({ told }: Heard, { struck, starts }: Ran): boolean {
  return struck.some(({ kind: { fullMs = 0 }, at }) => {
    const [from, to] = [told.at + slowestMs, at + fullMs + limits.commitMs];
    return (
      fullMs > 0 &&
      from >= at &&
      told.at <= to &&
      starts.some(({ at: next }) => next > told.at && next <= to + longestRestartMs)
    );
  });
}

/** O3: one process never sends an older state of an object after a newer one. */
function order({ heard }: Course): readonly string[] {
  const newest = new Map<number, number>();
  const wrongs: string[] = [];
  for (const { told, index } of heard) {
    if (index < (newest.get(told.life) ?? 0)) wrongs.push(`O3: ${say(told)} is older than what it told before`);
    newest.set(told.life, index);
  }
  return wrongs;
}

/** A full disk is reported, and what two say of each other; a broken file never. */
function isExpected(what: string, { struck }: Ran): boolean {
  return !what.startsWith('begun anew') && struck.some(({ kind }) => kind.fullMs !== undefined);
}
