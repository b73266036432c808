import type { DatabaseSync } from 'node:sqlite';
import type { Chance } from '../../../packages/controller/testing/sim/random.ts';
import type { ApiCall, ApiFault } from './api.ts';
import type { Write } from './disk.ts';
import { type CallClass, type Kind, kindsAt } from './kinds.ts';
import { Killed, type Life, type Lives } from './lives.ts';
import type { SinkFault } from './sink.ts';
import type { Time } from './time.ts';

/** A fault at the call of this number; without a kind one that chance picks. */
export interface CallFault {
  readonly at: number;
  readonly kind?: string;
}

/** What a source has asked of the outside. */
export interface SourceCall {
  readonly call: CallClass;
  readonly what: string;
}

/** A fault that came, with its call. */
export interface Struck {
  readonly kind: Kind;
  readonly call: SourceCall;
  readonly at: number;
}

export interface StrikesWith {
  readonly faults: readonly CallFault[];
  readonly time: Time;
  readonly chance: Chance;
  readonly lives: () => Lives;
  /** The API server forgets what has happened so far. */
  readonly forget: () => void;
  /** The API server ends all watches, in no good order. */
  readonly cut: () => void;
}

/** Counts the calls of all processes, and lets each fault come at its call. */
export function createStrikes({ faults, time, chance, lives, forget, cut }: StrikesWith) {
  const calls: SourceCall[] = [];
  const struck: Struck[] = [];
  const until = { full: 0, apiAway: 0, sinkAway: 0 };
  let isArmed = true;
  let atPost: Kind | undefined;

  const meet = (call: CallClass, what: string): Kind | undefined => {
    if (!isArmed) return undefined;
    const fault = faults.find(({ at }) => at === calls.length);
    const met = { call, what };
    calls.push(met);
    if (fault === undefined) return undefined;
    const kind = kindOf(fault, met, chance);
    struck.push({ kind, call: met, at: time.now() });
    begin(kind);
    return kind;
  };
  /** What lasts longer than the call. */
  const begin = ({ fullMs = 0, apiAwayMs = 0, sinkAwayMs = 0, forgets, second, restartMs = 2 }: Kind): void => {
    const now = time.now();
    until.full = Math.max(until.full, now + fullMs);
    until.apiAway = Math.max(until.apiAway, now + apiAwayMs);
    until.sinkAway = Math.max(until.sinkAway, now + sinkAwayMs);
    if (forgets === true) time.after(restartMs - 1, forget);
    if (second === true) lives().second();
    if (apiAwayMs > 0) time.after(1, cut);
  };
  const kills = (kind: Kind | undefined, when: 'before' | 'after', life: Life | undefined): boolean => {
    if (kind?.kill !== when || life === undefined) return false;
    lives().kill(life, kind.restartMs ?? 1);
    return true;
  };
  return {
    calls,
    struck,
    /** From now on no call counts, and none fails. */
    disarm: (): void => {
      isArmed = false;
    },
    onApi: (call: ApiCall, what: string, port: number): ApiFault | undefined => {
      const life = lives().of(port);
      if (life?.isDead !== false) return { does: 'nothing' };
      if (time.now() < until.apiAway) return { does: 'reset' };
      const kind = meet(call, what);
      return kills(kind, 'before', life) ? { does: 'nothing' } : kind?.api;
    },
    onPost: (what: string, port: number): SinkFault | undefined => {
      const life = lives().of(port);
      atPost = undefined;
      if (life?.isDead !== false) return { takes: false, answers: 'hang' };
      if (time.now() < until.sinkAway) return { takes: false, answers: { status: 503 } };
      atPost = meet('post', what);
      return kills(atPost, 'before', life) ? { takes: false, answers: 'hang' } : atPost?.sink;
    },
    /** The event of the last post was taken. */
    taken: (port: number): void => void kills(atPost, 'after', lives().of(port)),
    onWrite: (write: Write, database: DatabaseSync, perform: () => unknown): void => {
      const life = lives().owner(database);
      if (life?.isDead === true) throw new Killed();
      const kind = time.now() < until.full ? undefined : meet(write, life?.file.split('/').at(-1) ?? '');
      if (kills(kind, 'before', life)) throw new Killed();
      if (time.now() < until.full) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
      perform();
      if (kills(kind, 'after', life)) throw new Killed();
    },
  };
}

function kindOf({ kind: wanted }: CallFault, { call, what }: SourceCall, chance: Chance): Kind {
  const possible = kindsAt(call);
  const found =
    wanted === undefined ? possible[chance.below(possible.length)] : possible.find(({ id }) => id === wanted);
  if (found === undefined) throw new Error(`${wanted ?? 'nothing'} cannot befall ${call} ${what}`);
  return found;
}
