import { postOver } from '../broker/http-deliver.ts';
import type { Answer, CloudEvent } from '../cloud-event.ts';
import { type Pool, QueueFull, type Seat } from './pool.ts';

/** The reason that `postOver` gives for an answer that did not come in time. */
const tooLate = 'context deadline exceeded';

export interface Patience {
  /** The sender's time-out; without a limit if absent. */
  readonly timeoutMs: number | undefined;
  /** The time-out of the function's address. */
  readonly frontMs: number;
  /** The path in the function; `/` if absent. */
  readonly path?: string;
}

/**
 * Sends an event to an instance as the front does, with the same answers, but without a connection of the mesh to
 * itself. Never rejects.
 */
export async function handOver(
  pool: Pool,
  event: CloudEvent,
  { timeoutMs, frontMs, path = '' }: Patience,
): Promise<Answer> {
  const isImpatient = timeoutMs !== undefined && timeoutMs <= frontMs;
  const late: Answer = isImpatient ? { kind: 'failed', why: tooLate } : refusal(504, 'activator request timeout');
  const longest = isImpatient ? timeoutMs : frontMs;
  const until = performance.now() + longest;
  const seat = await seatWithin(pool, longest);
  switch (seat) {
    case 'late':
      return late;
    case 'full':
      return refusal(503, 'pending request queue full');
    case 'closed':
      return refusal(502, 'the mesh is shutting down');
    default:
      return post(seat, event, { until, late, path });
  }
}

async function seatWithin(pool: Pool, ms: number): Promise<Seat | 'late' | 'full' | 'closed'> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), ms);
  try {
    return await pool.seat(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return 'late';
    return error instanceof QueueFull ? 'full' : 'closed';
  } finally {
    clearTimeout(timer);
  }
}

async function post(
  { port, agent, coldMs, release }: Seat,
  event: CloudEvent,
  { until, late, path }: { readonly until: number; readonly late: Answer; readonly path: string },
): Promise<Answer> {
  const headers = { ...event.headers, 'k-proxy-request': 'activator', 'x-forwarded-for': '127.0.0.1' };
  const timeoutMs = Math.max(1, until - performance.now());
  const answer = await postOver(`http://127.0.0.1:${port}${path}`, { ...event, headers }, { agent, timeoutMs });
  if (answer.kind === 'failed') {
    const isLate = answer.why === tooLate;
    release(isLate ? 'left' : 'broken');
    return isLate ? late : refusal(502, /EOF|reset/.test(answer.why) ? 'EOF' : answer.why);
  }
  release('answered');
  if (coldMs === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'knudge-cold-ms': coldMs.toFixed(0) } };
}

function refusal(status: number, text: string): Answer {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return { kind: 'answered', status, headers, body: Buffer.from(text) };
}
