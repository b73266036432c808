import { AsyncLocalStorage } from 'node:async_hooks';
import type { Ending, Sending } from '../../cluster/exchange.ts';
import type { Outgoing } from '../../domain/change.ts';
import type { Outside } from '../../react/outside.ts';
import type { Answer } from '../../server/respond.ts';
import { encode } from '../../wire/encode.ts';
import { eventIn, type SimulatedEvent } from './event.ts';
import type { Functions } from './functions.ts';
import type { Chance } from './random.ts';
import { type Process, pendingCall, type Run } from './run.ts';

export interface ProcessesParts {
  readonly functions: Pick<Functions, 'serviceOf' | 'start'>;
  readonly outside: Outside;
  readonly chance: Chance;
  readonly send: (event: SimulatedEvent) => void;
  readonly say: (line: string) => void;
}

/** The processes of the functions: one for each Knative Service, until it is killed. */
export interface Processes {
  /** The process that takes the next event of a function. */
  of(stem: string): Process;
  /** One more, that takes no other event. */
  apart(stem: string): Process;
  kill(process: Process): void;
  /** Hands a run its event; its calls come to stand in `run.calls`. */
  begin(run: Run): Promise<Answer>;
}

export function createProcesses({ functions, outside, chance, send, say }: ProcessesParts): Processes {
  const { serviceOf, start } = functions;
  const alive = new Map<string, Process>();
  const current = new AsyncLocalStorage<Run>();
  const exchange = (sending: Sending): Promise<Ending> => {
    const run = current.getStore();
    if (run === undefined) throw new Error('a call outside of a run');
    const { promise, resolve } = Promise.withResolvers<Ending>();
    run.calls.push(pendingCall(run, sending, (ending) => !run.process.dead && resolve(ending)));
    return promise;
  };
  const sendOwn = async (event: Outgoing): Promise<void> => {
    const own = eventIn(encode(event));
    if (own !== undefined && current.getStore()?.process.dead !== true) send(own);
  };
  const apart = (stem: string): Process => {
    const service = serviceOf(stem);
    const instance = start(service, { outside, chance, exchange, send: sendOwn, say });
    return { service, instance, dead: false };
  };
  return {
    apart,
    of: (stem) => {
      const process = alive.get(serviceOf(stem)) ?? apart(stem);
      alive.set(process.service, process);
      return process;
    },
    kill: (process) => {
      process.dead = true;
      if (alive.get(process.service) === process) alive.delete(process.service);
    },
    begin: (run) => current.run(run, () => run.process.instance(run.due.stem, run.due.delivery)),
  };
}
