import { type Change, inputSource } from '../domain/change.ts';
import { KnudgeError } from '../domain/errors.ts';
import { describe, type ObjectRef } from '../domain/kube-object.ts';
import type { Outcome } from '../domain/plan.ts';
import type { HandlerContext, Sender } from '../domain/ports.ts';
import { timeOf } from '../domain/time.ts';
import { announce } from '../resync/announce.ts';
import { shareDeadline } from '../server/deadline.ts';
import type { RunParts } from './parts.ts';

interface AskWith extends Pick<RunParts, 'config' | 'outside'> {
  readonly sender: Sender;
}

/**
 * Gives the way to ask after many parents for one change, as the resync does: each by an event of its own, so that each is tried and
 * reported by itself. The first is left to chance, for a try that ends early must not always end before the same. Fails with
 * `unavailable` where the Broker has not taken all of them in time: a parent that is asked after twice is looked at twice.
 */
export function askAfterAll(
  { id, ref }: Change,
  { config, outside, sender }: AskWith,
): NonNullable<HandlerContext['askAfter']> {
  return async (parents: readonly ObjectRef[]): Promise<Outcome> => {
    const { workSeconds } = shareDeadline(config.handlerDeadlineSeconds);
    const began = outside.elapsed();
    const first = Math.floor(outside.random() * parents.length);
    const objects = [...parents.slice(first), ...parents.slice(0, first)].map(({ apiVersion, kind, ...metadata }) => ({
      apiVersion,
      kind,
      metadata,
    }));
    const { sent, failures } = await announce(objects, {
      sender,
      round: id,
      source: inputSource,
      time: () => timeOf(outside.now() / 1000),
      isTimeUp: () => outside.elapsed() - began >= workSeconds * 1000,
      least: 0,
    });
    if (sent < parents.length) {
      const why = failures[0]?.message ?? `there was no time for more within ${workSeconds.toFixed(1)} s`;
      const all = `${String(sent)} of ${String(parents.length)} that use ${describe(ref)} were asked after: ${why}`;
      throw new KnudgeError('unavailable', all, { ...(failures[0] && { cause: failures[0] }) });
    }
    return { result: 'done', reads: 0, writes: 0, events: { sent, failed: 0 } };
  };
}
