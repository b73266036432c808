import { setTimeout as sleep } from 'node:timers/promises';
import type { Stem } from '../../../functions/table.ts';
import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import { tracedEventOf } from '../../../packages/controller/testing/sim/traced-event.ts';
import type { TracedAnswer } from '../../../packages/controller/testing/trace.ts';

/** What a function answered; undefined where its process died first. */
export type Reply = Pick<TracedAnswer, 'status' | 'headers' | 'body'> | undefined;

export interface Deliverer {
  readonly tick: () => number;
  readonly answers: TracedAnswer[];
  /** Milliseconds of the functions' own. */
  readonly elapsed: () => number;
  /** Hands an event to an instance of the function; gives the number of its run with the answer. */
  readonly invoke: (due: Due<Stem>) => { readonly run: number; readonly reply: Promise<Reply> };
}

/** Tries as the Broker of the manifests does, only sooner: four times; what is then not done is given up. */
export async function deliver(due: Due<Stem>, { tick, answers, invoke, elapsed }: Deliverer): Promise<void> {
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    if (attempt > 0) await sleep(10 * 2 ** attempt);
    const began = tick();
    const started = elapsed();
    const { run, reply } = invoke({ ...due, attempt });
    const { status, headers, body } = (await reply) ?? { status: 0, headers: {}, body: '' };
    const { stem } = due;
    answers.push({
      at: tick(),
      began,
      run,
      stem,
      event: tracedEventOf(due),
      status,
      headers,
      body,
      ms: elapsed() - started,
    });
    if (!isRetried(status)) return;
  }
}

const mostTries = 4;

/** Knative's dispatcher: no answer, 5xx, and these. */
function isRetried(status: number): boolean {
  return status === 0 || status >= 500 || [404, 408, 409, 429].includes(status);
}

/** The end of an instance, as soon as a fault of the proxy brings it. */
export function createDeaths() {
  const waiting = new Map<number, () => void>();
  return {
    onCrash: (instance: number): void => waiting.get(instance)?.(),
    of: (instance: number): Promise<undefined> =>
      new Promise((resolve) => waiting.set(instance, () => resolve(undefined))),
  };
}
