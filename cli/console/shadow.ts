import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { outgoingOf } from '../../packages/event-log/replay/outgoing.ts';
import { isHttpAddress } from '../leaf.ts';
import { type Compared, comparePlans } from '../replay/compare.ts';
import type { PlanWith } from './plan.ts';

/** Seconds for each answer. */
const timeout = 30;

/**
 * What `knudge shadow` says of one recorded event: whether another version of a function, at an address, would write what this version
 * would. `body` is `{event, function, url}`; writes nothing. Fails with a KnudgeError.
 */
export async function shadowFor(body: unknown, { log, functions }: PlanWith): Promise<Compared> {
  const { event: seq, function: stem, url: there } = wishIn(body);
  const [event] = await log.events({ after: seq - 1, before: seq + 1 }, { order: 'oldest-first', limit: 1 });
  if (event === undefined) throw new KnudgeError('invalid-request', `the log has no event ${seq}`);
  const outgoing = outgoingOf(event);
  const planners = await functions.plannersFor(outgoing);
  if (!planners.includes(stem)) {
    const all = planners.length === 0 ? 'no function that makes plans' : planners.join(', ');
    throw new KnudgeError('invalid-request', `no Trigger brings event ${seq} to ${stem}, but to ${all}`);
  }
  return comparePlans(outgoing, { here: await functions.urlOf(stem), there, timeout });
}

interface Wish {
  readonly event: number;
  readonly function: string;
  readonly url: string;
}

function wishIn(body: unknown): Wish {
  const { event, function: stem, url } = (body ?? {}) as Partial<Record<keyof Wish, unknown>>;
  if (!Number.isSafeInteger(event)) throw new KnudgeError('invalid-request', 'event must be the number of an event');
  if (typeof stem !== 'string') throw new KnudgeError('invalid-request', 'function must be the name of a function');
  if (typeof url !== 'string' || !isHttpAddress(url))
    throw new KnudgeError('invalid-request', 'url must be an address such as http://127.0.0.1:8309');
  return { event: event as number, function: stem, url };
}
