import type { LogSeen, Seen } from './seen.ts';
import { trying } from './trying.ts';

/** A log that hangs is asked once: each further question would take half a minute. */
export async function readLog(
  countDeadLetters: () => Promise<number>,
  askLog: () => Promise<LogSeen>,
): Promise<Pick<Seen, 'log' | 'openDeadLetters'>> {
  const log = await trying(askLog);
  const hangs = 'value' in log && log.value.trouble !== undefined;
  return { log, openDeadLetters: hangs ? { why: 'the event log does not answer' } : await trying(countDeadLetters) };
}
