import type { Received } from '../domain/change.ts';
import { asKnudgeError, KnudgeError } from '../domain/errors.ts';
import type { EventContext } from '../domain/ports.ts';
import { type Restart, readySince, stepFor } from './restart.ts';

/** What came of an event about the Pod of a source's adapter. */
export type Turn =
  /** The event reports no adapter that has become ready. */
  | { readonly is: 'none' }
  /** A resync has begun since, or has just been begun by another instance. */
  | { readonly is: 'done'; readonly reads: number }
  /** A resync is to begin now. */
  | { readonly is: 'now'; readonly reads: number };

/** The instance waits at most this fraction of its time for new work: in the rest it sends the first events of the round. */
const mostWaited = 0.8;

/** How often another instance may be faster within one invocation. */
const mostTries = 3;

/**
 * Waits until the resync that a restart asks for may begin, and takes it: the Lease lets one instance have it. Throws `too-early`
 * where that takes longer than this invocation has; its Trigger then comes again, for more than a minute.
 */
export async function takeTurn(received: Received, context: EventContext): Promise<Turn> {
  const ready = readySince(received.data);
  if (ready === undefined) return { is: 'none' };
  const restart: Restart = { ready, by: received.id.slice(0, longestName) };
  const until = context.now() + context.workSeconds * 1000 * mostWaited;
  let reads = 0;
  for (let tries = 1; ; ) {
    const lease = await context.restarts.read();
    reads += 1;
    const step = stepFor(restart, lease.marks, lease.now);
    switch (step.do) {
      case 'nothing':
        return { is: 'done', reads };
      case 'wait':
        if (context.now() + step.ms > until) throw tooEarly(step.ms);
        await context.sleep(step.ms);
        break;
      case 'begin':
        if (await taken(() => lease.take(restart.by), tries < mostTries)) return { is: 'now', reads };
        tries += 1;
    }
  }
}

/** Of the Lease's holder: an id may have any length. */
const longestName = 100;

async function taken(take: () => Promise<void>, mayTryAgain: boolean): Promise<boolean> {
  try {
    await take();
    return true;
  } catch (thrown) {
    const error = asKnudgeError(thrown);
    if (error.code === 'conflict' && mayTryAgain) return false;
    throw error;
  }
}

function tooEarly(ms: number): KnudgeError {
  const seconds = Math.ceil(ms / 1000);
  const message = `a source has started anew, and the resync for it begins in ${seconds} s: one a minute is enough`;
  return new KnudgeError('too-early', message, { retryAfterSeconds: seconds });
}
