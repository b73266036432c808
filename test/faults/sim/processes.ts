import { AsyncLocalStorage } from 'node:async_hooks';
import { type Stem, serviceOf, stemsOf } from '../../../functions/table.ts';
import type { Ending, Sending } from '../../../packages/controller/cluster/exchange.ts';
import type { Outgoing } from '../../../packages/controller/domain/change.ts';
import type { Answer } from '../../../packages/controller/server/respond.ts';
import { encode } from '../../../packages/controller/wire/encode.ts';
import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';
import { startInstance, type World } from './instance.ts';
import { type Process, pendingCall, type Run } from './run.ts';
import { eventIn } from './source.ts';

export interface ProcessesParts {
  readonly outside: World;
  readonly send: (event: CloudEvent) => void;
  readonly say: (line: string) => void;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The processes of the functions: one for each Knative Service, until it is killed. */
export interface Processes {
  /** The process that takes the next event of a function. */
  of(stem: Stem): Process;
  /** One more, that takes no other event. */
  apart(stem: Stem): Process;
  kill(process: Process): void;
  /** Hands a run its event; its calls come to stand in `run.calls`. */
  begin(run: Run): Promise<Answer>;
}

export function createProcesses({ outside, send, say, env }: ProcessesParts): Processes {
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
  const apart = (stem: Stem): Process => {
    const service = serviceOf(stem);
    const instance = startInstance({
      stems: stemsOf(service),
      outside,
      exchange,
      send: sendOwn,
      say,
      ...(env && { env }),
    });
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
