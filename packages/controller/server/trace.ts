import type { Logger } from 'pino';
import type { Trace } from '../domain/ports.ts';

/**
 * The trace of one piece of work, for DEBUG_MODE: each step is logged when it is over, with the milliseconds since the
 * one before. Make one for each reconcile, or the durations of two get mixed. Costs nothing where debug is not logged.
 */
export function createTrace(log: Logger, now: () => number): Trace {
  if (!log.isLevelEnabled('debug')) return silent;
  let before = now();
  return (step, fields) => {
    const at = now();
    log.debug({ ...fields, step, ms: Math.round((at - before) * 10) / 10 }, 'step');
    before = at;
  };
}

const silent: Trace = () => {};
