import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hop, type Report, subjectOf } from './hop.ts';
import type { TriggerSpec } from './mesh-spec.ts';

/** What a running mesh says of its functions: `status.json` in its folder. */
export interface MeshStatus {
  /** By the name of the Knative Service. */
  readonly processes: Readonly<Record<string, ProcessStatus>>;
  /** The last event of each function, by the name of its Trigger. */
  readonly functions: Readonly<Record<string, LastEvent>>;
  /** By which it delivers now; absent in what an older Knudge has written. */
  readonly triggers?: readonly TriggerSpec[];
}

export interface ProcessStatus {
  /** The number of instances that are awake. */
  readonly awake: number;
  /** Of these, on this machine. */
  readonly pids?: readonly number[];
  /** Milliseconds of the last start. */
  readonly coldMs?: number;
  /** Why its process ended, if it has not started again since. */
  readonly crashing?: string;
}

export interface LastEvent {
  /** RFC 3339: when the function answered. */
  readonly time: string;
  readonly type: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly outcome?: string;
}

export const statusFile = 'status.json';

/** Milliseconds between two writes of the file. */
const pauseMs = 250;

export interface KeptStatus {
  /** Notes a hop and passes it on. */
  readonly report: Report;
  /** Writes at once by which Triggers events are delivered from now on. */
  readonly deliversBy: (triggers: readonly TriggerSpec[]) => void;
  /** Writes nothing more. */
  readonly close: () => void;
}

/** Keeps the file while the hops go by. */
export function keepStatus(dir: string, report: Report, now: () => Date = () => new Date()): KeptStatus {
  const notes: Notes = { processes: {}, functions: {}, triggers: [], now };
  const state = { isDue: false, isClosed: false };
  const write = (): void => {
    state.isDue = false;
    if (state.isClosed) return;
    const { processes, functions, triggers } = notes;
    const draft = join(dir, `${statusFile}.draft`);
    try {
      writeFileSync(draft, JSON.stringify({ processes, functions, triggers } satisfies MeshStatus), { mode: 0o600 });
      renameSync(draft, join(dir, statusFile));
    } catch {
      // A full disk, or a folder that is gone: the mesh goes on, and the command shows what it knew before.
    }
  };
  return {
    report: (hop) => {
      report(hop);
      if (!note(hop, notes) || state.isDue) return;
      state.isDue = true;
      setTimeout(write, pauseMs).unref();
    },
    deliversBy: (triggers) => {
      notes.triggers = triggers;
      write();
    },
    close: () => {
      state.isClosed = true;
    },
  };
}

interface Notes {
  readonly processes: Record<string, ProcessStatus>;
  readonly functions: Record<string, LastEvent>;
  triggers: readonly TriggerSpec[];
  readonly now: () => Date;
}

/** Characters of a reason. */
const longestWhy = 500;

/** Whether the hop has changed anything. */
function note(hop: Hop, { processes, functions, now }: Notes): boolean {
  switch (hop.kind) {
    case 'woke':
      processes[hop.function] = { ...awakeIn(hop), coldMs: Math.round(hop.coldMs) };
      return true;
    case 'slept':
      processes[hop.function] = { ...processes[hop.function], ...awakeIn(hop) };
      return true;
    case 'crashed':
      processes[hop.function] = {
        ...processes[hop.function],
        awake: 0,
        pids: [],
        crashing: hop.why.slice(0, longestWhy),
      };
      return true;
    case 'delivered': {
      const { kind, namespace, name } = subjectOf(hop.event) ?? {};
      const about = kind === undefined ? {} : { kind, namespace: namespace ?? '', name: name ?? '' };
      const outcome = hop.headers['knudge-outcome'];
      const { type = '' } = hop.event.attributes;
      functions[hop.trigger.slice(hop.trigger.lastIndexOf('/') + 1)] = {
        time: now().toISOString(),
        type,
        ...about,
        status: hop.status,
        ...(outcome !== undefined && { outcome }),
      };
      return true;
    }
    default:
      return false;
  }
}

function awakeIn({ pids }: { readonly pids: readonly number[] }): Pick<ProcessStatus, 'awake' | 'pids'> {
  return { awake: pids.length, pids };
}

/** What the mesh in a folder said last; nothing if it has said nothing yet. */
export function readStatus(dir: string): MeshStatus {
  try {
    return JSON.parse(readFileSync(join(dir, statusFile), 'utf8')) as MeshStatus;
  } catch {
    return { processes: {}, functions: {} };
  }
}
