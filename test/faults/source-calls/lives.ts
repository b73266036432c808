import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pack } from '../../../packages/source/pack.ts';
import { type RunningSource, runSource } from '../../../packages/source/run.ts';
import { createSend } from '../../../packages/source/send.ts';
import { copyAsLeft } from './disk.ts';
import { watched } from './script.ts';
import { type Owner, running, type Time } from './time.ts';

/** One process of the source, from its start until it is killed, has left or has ended. */
export interface Life extends Owner {
  readonly id: number;
  readonly file: string;
  readonly databases: Set<DatabaseSync>;
  isDead: boolean;
  isLeaving: boolean;
  source: RunningSource | undefined;
}

/** Where a source went on from. */
export interface Start {
  readonly life: number;
  readonly at: number;
  /** Events that were sent before. */
  readonly told: number;
  /** Up to which version all was taken, as the file says, by watch. */
  readonly positions: ReadonlyMap<string, number>;
}

export interface LivesWith {
  readonly time: Time;
  readonly folder: string;
  readonly told: () => number;
  /** What a process says that no process should say without a reason. */
  readonly said: (what: string) => void;
  readonly part: (port: number) => void;
}

/** The API server and the Broker have for each process a port of their own: this and its number. */
export const apiPorts = 10_000;
const sinkPorts = 20_000;
export const limits = { commitMs: 300 };
/** The next process starts at most this many milliseconds later, unless the one before takes long to leave. */
export const longestRestartMs = 1000;
const crashMs = 500;
/** Kubernetes kills a Pod that has not left by then. */
const graceMs = 30_000;

export function isOfApi(port: number): boolean {
  return port < sinkPorts;
}

/** Thrown out of the call at which a process is killed. */
export class Killed extends Error {}

export type Lives = ReturnType<typeof createLives>;

/** The processes of one source, of which there should be one at a time, and each is followed by the next. */
export function createLives({ time, folder, told, said, part }: LivesWith) {
  const lives: Life[] = [];
  const starts: Start[] = [];
  const state = {
    file: join(folder, '0.db'),
    isWanted: false,
    overlapped: false,
    starting: undefined as Life | undefined,
  };
  const alive = (): readonly Life[] => lives.filter(({ isDead }) => !isDead);

  const start = (): void => {
    const life: Life = {
      id: lives.length,
      file: state.file,
      databases: new Set(),
      isDead: false,
      isLeaving: false,
      source: undefined,
    };
    if (alive().some(({ isLeaving }) => !isLeaving)) state.overlapped = true;
    lives.push(life);
    state.starting = life;
    try {
      life.source = running.run(life, () =>
        begin(life, { said: (what) => life.isDead || said(what), over: () => end(life, crashMs) }),
      );
      const positions = [...life.source.positions()].map(([watch, at]) => [watch, Number(at)] as const);
      starts.push({ life: life.id, at: time.now(), told: told(), positions: new Map(positions) });
    } catch (error) {
      if (!life.isDead) said(`cannot start: ${String(error)}`);
      if (!life.isDead) end(life, crashMs);
    }
  };
  const next = (): void => {
    if (state.isWanted && alive().length === 0) start();
  };
  /** It does nothing any more. */
  const end = (life: Life, nextMs: number): void => {
    life.isDead = true;
    part(apiPorts + life.id);
    part(sinkPorts + life.id);
    for (const database of life.databases) if (database.isOpen) database.close();
    time.after(nextMs, next);
  };
  return {
    starts,
    alive,
    overlapped: () => state.overlapped,
    /** Which process it is whose server this port is. */
    of: (port: number): Life | undefined => lives[port % apiPorts],
    /** Whose database it is: that of the process which starts, where nobody has seen it before. */
    owner: (database: DatabaseSync): Life | undefined => {
      const found = lives.find(({ databases }) => databases.has(database)) ?? state.starting;
      found?.databases.add(database);
      return found;
    },
    kill: (life: Life, nextMs: number): void => {
      const isAlone = alive().every((one) => one === life || one.file !== life.file);
      if (isAlone && life.file === state.file) {
        state.file = join(folder, `${life.id + 1}.db`);
        copyAsLeft(life.file, state.file);
      }
      end(life, nextMs);
    },
    second: (): void => void time.after(1, () => state.isWanted && start()),
    enter: (): void => {
      state.isWanted = true;
      next();
    },
    leave: (): void => {
      state.isWanted = false;
      for (const life of alive()) {
        life.isLeaving = true;
        time.after(graceMs, () => life.isDead || end(life, 1));
        void running.run(life, async () => life.source?.close()).then(() => life.isDead || end(life, 1));
      }
    },
    clear: (): void => {
      state.isWanted = false;
      for (const life of alive()) end(life, 1);
    },
  };
}

interface Says {
  readonly said: (what: string) => void;
  readonly over: () => void;
}

function begin({ id, file }: Life, { said, over }: Says): RunningSource {
  const server = `http://127.0.0.1:${apiPorts + id}`;
  const sink = `http://127.0.0.1:${sinkPorts + id}`;
  const { send } = createSend({
    sink,
    ca: '',
    tokenFile: `${file}.no-token`,
    timeoutMs: 65_000,
    most: 16,
    refused: () => undefined,
  });
  return runSource({
    access: { server, credentials: async () => ({}) },
    version: 'test',
    file,
    watched,
    send,
    pack: (happening, { metadataOnly }) =>
      pack(happening, {
        source: server,
        namespace: 'knudge',
        overrides: {},
        now: () => new Date(),
        mode: metadataOnly ? 'Reference' : 'Resource',
      }),
    tell: () => undefined,
    failed: (error) => said(`failed: ${String(error)}`),
    begunAnew: (error) => said(`begun anew: ${String(error)}`),
    takenOver: over,
    limits,
    // The watch has taken the chance of the process before this run took it over.
    pace: { random: () => Math.random() },
  });
}
