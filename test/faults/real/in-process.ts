import { randomBytes } from 'node:crypto';
import type { Stem } from '../../../functions/table.ts';
import { exchange, type Sending } from '../../../packages/controller/cluster/exchange.ts';
import { timer } from '../../../packages/controller/server/deadline.ts';
import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import { issuer } from '../../../packages/issuing/issuer.ts';
import { type OutsideOfProcess, startInstance } from '../sim/instance.ts';
import { createDeaths, type Reply } from './deliver.ts';

export interface InProcessParts {
  /** The API server for an instance. */
  readonly urlOf: (instance: number) => string;
  readonly controllerNamespace: string;
  readonly say: (line: string) => void;
  /** Milliseconds that the clock of Knudge is ahead. */
  readonly ahead: () => number;
}

/**
 * Functions in this process, from the production code, over HTTP: each event meets an instance that has just woken, so the
 * number of an instance is that of its run.
 */
export function createInProcess({ urlOf, controllerNamespace, say, ahead }: InProcessParts) {
  const deaths = createDeaths();
  let last = 0;
  const outside: OutsideOfProcess = {
    now: () => Date.now() + ahead(),
    elapsed: () => performance.now(),
    after: timer,
    random: Math.random,
    newToken: () => randomBytes(32).toString('base64url'),
    issuer,
  };
  /** The whole world's clock is ahead, and the API server's stays where it is: its answers say the other time. */
  const later = async (sending: Sending) => {
    const ending = await exchange(sending);
    if (ending.kind !== 'answered' || ending.answer.date === undefined) return ending;
    const date = new Date(Date.parse(ending.answer.date) + ahead()).toUTCString();
    return { ...ending, answer: { ...ending.answer, date } };
  };
  const invoke = ({ stem, delivery }: Due<Stem>): { readonly run: number; readonly reply: Promise<Reply> } => {
    last += 1;
    const run = last;
    const env = { CONTROLLER_NAMESPACE: controllerNamespace };
    const send = async (): Promise<void> => {
      throw new Error('the functions of these runs send no events');
    };
    const instance = startInstance({ stems: [stem], outside, exchange: later, send, say, server: urlOf(run), env });
    return { run, reply: Promise.race([instance(stem, delivery), deaths.of(run)]) };
  };
  return { invoke, onCrash: deaths.onCrash };
}
