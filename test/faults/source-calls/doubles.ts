import { nameOf, type Watched } from '../../../packages/source/collection.ts';
import { type Course, type Heard, saidOf, say, viewOf } from './course.ts';
import type { Start } from './lives.ts';
import type { Ran } from './run-calls.ts';

/**
 * O4: where a state is sent that was sent already, or an older one, a fault is why. Either its taking was never answered, or a process
 * began anew meanwhile, or beside the one that sent it, from a version before it, as the file said. So each state is sent once and once
 * more for each of these, and never more often than once and once for each fault.
 */
export function doubles(course: Course, ran: Ran): { readonly wrongs: readonly string[]; readonly needless: number } {
  const { watched, heard } = course;
  const wrongs: string[] = [];
  let needless = 0;
  for (const [position, one] of heard.entries()) {
    const before = heard.slice(0, position);
    const same = before.filter(({ index }) => index === one.index);
    const isOld = before.some(({ index }) => index >= one.index);
    const last = before.at(-1);
    const saysNothing = last !== undefined && viewOf(last.entry, watched) === viewOf(one.entry, watched);
    if (!isOld && !saysNothing) continue;
    needless += 1;
    const unheard = same.filter(({ told }) => told.isUnheard).length;
    const anew = ran.starts
      .filter((start) => positionOf(start, watched) < one.entry.version)
      .filter((start) => isAfterAny(start, before) || (ran.overlapped && isBeside(start, one, before)));
    if (unheard + anew.length === 0) wrongs.push(`O4: ${say(one.told)} was needless: ${saidOf(before)}`);
    if (same.length > unheard + anew.length) wrongs.push(`O4: ${say(one.told)} is told too often: ${saidOf(before)}`);
    if (same.length > ran.struck.length) wrongs.push(`O4: ${say(one.told)} is told more often than there are faults`);
  }
  return { wrongs, needless };
}

/** Something was sent before that process began. */
function isAfterAny({ told }: Start, before: readonly Heard[]): boolean {
  return before.some(({ order }) => order < told);
}

/** That process ran beside another one, and each of them sent its own. */
function isBeside({ life }: Start, one: Heard, before: readonly Heard[]): boolean {
  const tellers = [...before, one].map(({ told }) => told.life);
  return tellers.includes(life) && new Set(tellers).size > 1;
}

function positionOf({ positions }: Start, watched: Watched): number {
  return positions.get(nameOf(watched)) ?? 0;
}
