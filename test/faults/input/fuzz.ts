import { existsSync, readFileSync } from 'node:fs';
import { type Heard, type Line, openLine } from './line.ts';
import type { Target } from './start-target.ts';

/** No request may take longer, in milliseconds. */
export const longestMs = 100;

/** A request whose answer came late: its bytes, whether nothing follows them, and the milliseconds. */
export interface Late {
  readonly bytes: Buffer;
  readonly ends?: true | undefined;
  readonly ms: number;
}

/** What one round of fuzzing has shown. */
export interface Findings {
  /** How many answers of each status. */
  readonly answers: ReadonlyMap<number, number>;
  /** What was wrong, each with the bytes that did it. */
  readonly failures: readonly string[];
  /** Requests whose answer came late. */
  readonly late: readonly Late[];
  /** The latest of all answers, in milliseconds. */
  readonly latest: number;
}

interface Round {
  readonly next: () => Buffer;
  readonly total: number;
  /** Called now and then with the number that were answered. */
  readonly onProgress?: (answered: number) => void;
}

/** Few enough that an answer does not wait long for its turn, enough that the function never waits for us. */
const lines = 4;

/** So many things that are wrong are enough to look at. */
const mostFailures = 20;

/**
 * Sends this many requests over a few connections, one at a time on each. The time of an answer goes from its first byte
 * sent, so it holds the turns of up to three others: what a request takes alone is never longer.
 */
export async function fuzz(
  { port }: Pick<Target, 'port'>,
  { next, total, onProgress = () => undefined }: Round,
): Promise<Findings> {
  const answers = new Map<number, number>();
  const failures: string[] = [];
  const late: Late[] = [];
  let [sent, answered, latest] = [0, 0, 0];
  const note = (heard: Heard, bytes: Buffer): void => {
    const wrong = faultOf(heard);
    if (wrong !== undefined) failures.push(`${wrong}: ${bytesOf(bytes)}`);
    if (heard.ms > longestMs) late.push({ bytes, ms: heard.ms });
    latest = Math.max(latest, heard.ms);
    answers.set(heard.status, (answers.get(heard.status) ?? 0) + 1);
    answered += 1;
    if (answered % 50_000 === 0) onProgress(answered);
  };
  const work = async (line: Line): Promise<void> => {
    while (sent < total && failures.length < mostFailures) {
      sent += 1;
      const bytes = next();
      try {
        note(await line.ask(bytes), bytes);
      } catch (error) {
        failures.push(`${String(error)}: ${bytesOf(bytes)}`);
      }
    }
    line.close();
  };
  await Promise.all(Array.from({ length: lines }, () => work(openLine(port))));
  return { answers, failures, late, latest };
}

/** What is late again, three times out of three, with nothing else going on: each with its best time; some are enough to look at. */
export async function lateAlone(
  target: Pick<Target, 'port' | 'pid'>,
  late: readonly Late[],
): Promise<readonly string[]> {
  const again: string[] = [];
  for (const one of late) {
    if (again.length === mostFailures) break;
    const times: number[] = [];
    while (times.length < 3 && times.every((ms) => ms > longestMs)) times.push(await timeAlone(target, one));
    const ms = Math.min(...times);
    if (ms > longestMs) again.push(`${ms.toFixed(0)} ms: ${bytesOf(one.bytes)}`);
  }
  return again;
}

/** Milliseconds of an answer, without those in which this process or the function waited for a processor that others used. */
async function timeAlone({ port, pid }: Pick<Target, 'port' | 'pid'>, { bytes, ends }: Late): Promise<number> {
  const waited = (): number => waitedMsOf(pid) + waitedMsOf(process.pid);
  const line = openLine(port);
  try {
    const before = waited();
    const { ms } = await line.ask(bytes, ends);
    return ms - (waited() - before);
  } finally {
    line.close();
  }
}

/** Milliseconds that the main thread of a process was ready and had no processor (Linux: the second field of schedstat); else 0. */
function waitedMsOf(pid: number): number {
  const file = `/proc/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6 : 0;
}

/** What an answer to an event may be: done, or refused for good. Never 404, 409 or 5xx, which the Broker would retry. */
const allowed: ReadonlySet<number> = new Set([204, 400, 413, 415]);

/** What is wrong with an answer, if anything is. */
export function faultOf({ status, head, body }: Heard): string | undefined {
  if (!allowed.has(status)) return `the answer is ${status}`;
  if (status === 204) return body === '' ? undefined : 'a body in a 204';
  if (head.includes('\r\ntransfer-encoding:')) return 'an answer in pieces';
  return faultOfBody(body);
}

/** What is wrong with the body of a refusal: above 768 bytes it would end the real Broker. */
export function faultOfBody(body: string): string | undefined {
  if (Buffer.byteLength(body) > 512) return `a body of ${Buffer.byteLength(body)} bytes`;
  try {
    const { code, message } = JSON.parse(body) as { code?: unknown; message?: unknown };
    return typeof code === 'string' && typeof message === 'string'
      ? undefined
      : `a body without code or message: ${body}`;
  } catch {
    return `a body that is no JSON: ${JSON.stringify(body)}`;
  }
}

function bytesOf(bytes: Buffer): string {
  return `${bytes.length} bytes, in base64 ${bytes.subarray(0, 3000).toString('base64')}`;
}
