import type { Report } from '../hop.ts';
import type { FunctionSpec } from '../mesh-spec.ts';
import type { Instance } from './instance.ts';
import { restartDelay } from './scale.ts';

/** The instances of one function: when they start, rest and end. */
export interface Members {
  /** Those that were not asked to end, awake or not. */
  staying(): readonly Member[];
  /** Starts this many more; not before the pause after the last crash is over. */
  grow(missing: number): void;
  /** Gives it one more request; the returned function ends that. */
  occupy(member: Member): Release;
  /** Every instance finishes its requests and ends, and the next start need not wait for a pause. */
  renew(): void;
  /** Every instance finishes its requests; one that takes longer than the grace is killed. */
  close(graceMs: number): Promise<void>;
}

/** `broken`: the instance broke the connection off. `left`: the client did not wait for the answer. */
export type Release = (ending: 'answered' | 'broken' | 'left') => void;

export interface Member {
  readonly instance: Instance;
  /** Absent until it listens. */
  port?: number;
  /** Its number of requests. */
  load: number;
  leaving: boolean;
  /** It broke a connection off: it may have ended, so it gets no requests for a moment. */
  doubted: boolean;
  idle?: NodeJS.Timeout;
}

export interface MembersParts {
  readonly spec: FunctionSpec;
  readonly start: () => Instance;
  readonly report: Report;
  readonly idleMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

interface Life extends MembersParts {
  readonly members: Set<Member>;
  readonly onChange: () => void;
  /** Crashes since the last answer, and when the next start is allowed. */
  crashes: number;
  restUntil: number;
  restTimer?: NodeJS.Timeout;
}

/** `onChange` is called whenever there may be more room, or too few instances. */
export function createMembers(parts: MembersParts, onChange: () => void): Members {
  const life: Life = { ...parts, members: new Set(), onChange, crashes: 0, restUntil: 0 };
  return {
    staying: () => staying(life),
    grow: (missing) => grow(life, missing),
    occupy: (member) => {
      clearTimeout(member.idle);
      member.load += 1;
      return (ending) => {
        member.load -= 1;
        if (ending === 'answered') life.crashes = 0;
        if (ending === 'broken') doubt(life, member);
        if (member.load === 0) sleepLater(life, member);
        onChange();
      };
    },
    renew: () => {
      Object.assign(life, { crashes: 0, restUntil: 0 });
      for (const member of staying(life)) void leave(member, life.spec.timeoutSeconds * 1000);
      onChange();
    },
    close: async (graceMs) => {
      clearTimeout(life.restTimer);
      const leaving = [...life.members].map((member) => leave(member, graceMs));
      await Promise.all(leaving);
    },
  };
}

/** Milliseconds in which the end of a process becomes known. */
const doubtMs = 100;

function doubt(life: Life, member: Member): void {
  member.doubted = true;
  setTimeout(() => {
    member.doubted = false;
    life.onChange();
  }, doubtMs);
}

function staying({ members }: Life): readonly Member[] {
  return [...members].filter(({ leaving }) => !leaving);
}

/** The processes of those that listen. */
function awake(life: Life): readonly number[] {
  return staying(life).flatMap(({ port, instance: { pid } }) => (port === undefined || pid === undefined ? [] : [pid]));
}

function grow(life: Life, missing: number): void {
  clearTimeout(life.restTimer);
  const wait = life.restUntil - life.now();
  if (wait > 0) life.restTimer = setTimeout(life.onChange, Math.ceil(wait));
  else for (let made = 0; made < missing; made += 1) add(life);
}

function add(life: Life): void {
  const { spec, report, now } = life;
  const began = now();
  const member: Member = { instance: life.start(), load: 0, leaving: false, doubted: false };
  life.members.add(member);
  const woken = (port: number): void => {
    member.port = port;
    report({ kind: 'woke', function: spec.name, coldMs: now() - began, pids: awake(life) });
    sleepLater(life, member);
    life.onChange();
  };
  member.instance.listening.then(woken, () => undefined);
  void member.instance.exited.then(() => lose(life, member));
}

function sleepLater(life: Life, member: Member): void {
  clearTimeout(member.idle);
  if (member.leaving || !life.members.has(member)) return;
  member.idle = setTimeout(() => {
    if (staying(life).length > life.spec.minScale) void leave(member, life.spec.timeoutSeconds * 1000);
  }, life.idleMs);
}

async function leave(member: Member, graceMs: number): Promise<void> {
  member.leaving = true;
  clearTimeout(member.idle);
  await member.instance.leave(graceMs);
}

function lose(life: Life, member: Member): void {
  const { members, spec, report, now } = life;
  members.delete(member);
  clearTimeout(member.idle);
  if (member.leaving) {
    report({ kind: 'slept', function: spec.name, pids: awake(life) });
  } else {
    // Of several that crash together only one counts.
    if (now() >= life.restUntil) life.crashes += 1;
    life.restUntil = now() + restartDelay(life.crashes, member.port !== undefined);
    void member.instance.ended.then((why) => report({ kind: 'crashed', function: spec.name, why }));
  }
  life.onChange();
}
