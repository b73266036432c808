import {
  type Delivered,
  deliveryHeader,
  mostAtOnce,
  mostParents,
  mostWritten,
  reconciledType,
  type Tried,
  type Written,
} from '../domain/delivery.ts';
import type { ErrorCode } from '../domain/errors.ts';
import { describe } from '../domain/kube-object.ts';
import type { Outcome } from '../domain/plan.ts';
import type { Sender } from '../domain/ports.ts';
import type { After } from './deadline.ts';
import { longestStart } from './event-trace.ts';
import type { Answer } from './respond.ts';

/** What is known of an event when it is answered. */
export interface Answered extends Partial<Pick<Outcome, 'reads' | 'writes' | 'parents'>> {
  readonly event: Delivered['event'];
  readonly function: string;
  readonly outcome: Outcome['result'] | ErrorCode;
  readonly ms: number;
  /** Undefined where the event is in no trace. */
  readonly traceId: string | undefined;
  /** Absent where `writes` is all that is known, as of the Lease of the resync. */
  readonly gathered?: Gathered | undefined;
}

/** What an event has had written; grows while a run goes on, also after the answer. */
export interface Gathered {
  readonly written: Written[];
  unlisted: number;
  inVain: number;
}

/** Called when an event comes; what it gives is called with what became of it, and gives the answer that the sender gets. */
export type Reporter = () => (answered: Answered, answer: Answer) => Answer;

export interface ReportFrom {
  /** The Pod or the process. */
  readonly instance: string;
  /** Milliseconds since 1970. */
  readonly epoch: () => number;
}

/** Takes note of a write, by name as long as there is room for it. */
export function gather(gathered: Gathered, tried: Tried): void {
  if (tried === undefined) gathered.inVain += 1;
  else if (gathered.written.length < mostWritten) gathered.written.push(tried);
  else gathered.unlisted += 1;
}

/** Reports in a header of the answer: for a mesh, which knows of the way. */
export function reportInHeader(from: ReportFrom): Reporter {
  return () => (answered, answer) => {
    const text = headerOf(deliveredOf(answered, answer.status, from));
    return text === undefined ? answer : { ...answer, headers: { ...answer.headers, [deliveryHeader]: text } };
  };
}

/** Characters of that header: all headers of an answer may have 16 KiB together. */
const longestHeader = 8192;

/** In ASCII, whatever the objects are called. Writes that have no room are counted; undefined if the rest has none either. */
function headerOf(delivered: Delivered): string | undefined {
  for (let kept = delivered.written.length; ; kept = Math.floor(kept / 2)) {
    const unlisted = (delivered.unlisted ?? 0) + delivered.written.length - kept;
    const short = { ...delivered, written: delivered.written.slice(0, kept), ...(unlisted > 0 && { unlisted }) };
    const text = JSON.stringify(short).replace(
      /[^\x20-\x7e]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (text.length <= longestHeader) return text;
    if (kept === 0) return undefined;
  }
}

export interface ReportBy extends ReportFrom {
  readonly sender: Sender;
  readonly after: After;
  readonly newId: () => string;
  /** Milliseconds since the process began. */
  readonly now: () => number;
  readonly onLost: (error: unknown, deliveries: number) => void;
}

/** Milliseconds until what has come is sent. */
const interval = 1000;

/**
 * Reports by events to the Broker, many deliveries in each, after the answers: nobody waits for them, and one that cannot be sent is
 * lost. `flush` sends what is left, and waits for all that is being sent, for the end of the process.
 */
export function reportByEvent(parts: ReportBy): { readonly report: Reporter; readonly flush: () => Promise<void> } {
  let waiting: (() => Delivered)[] = [];
  let stop: (() => void) | undefined;
  let isFirst = true;
  const underWay = new Set<Promise<void>>();
  const sendOne = async (deliveries: readonly Delivered[]): Promise<void> => {
    const time = new Date(parts.epoch()).toISOString();
    const event = { id: parts.newId(), type: reconciledType, source: reconciledSource, time, extensions: {} };
    try {
      await parts.sender.send({ ...event, data: { deliveries } });
    } catch (error) {
      parts.onLost(error, deliveries.length);
    }
  };
  const sendWaiting = (): void => {
    stop?.();
    stop = undefined;
    const deliveries = waiting.map((make) => make());
    waiting = [];
    if (deliveries.length === 0) return;
    const sending = sendOne(deliveries).finally(() => underWay.delete(sending));
    underWay.add(sending);
  };
  const flush = async (): Promise<void> => {
    sendWaiting();
    await Promise.all(underWay);
  };
  const report: Reporter = () => {
    // The process was started for the first that came, which is not always the first that is answered.
    const age = parts.now();
    const cold = isFirst && age < longestStart ? { coldMs: Math.round(age) } : {};
    isFirst = false;
    return (answered, answer) => {
      const at = { ...parts, epoch: constant(parts.epoch()) };
      // Made when it is sent: a run that goes on after its answer may write meanwhile.
      waiting.push(() => ({ ...deliveredOf(answered, answer.status, at), ...cold }));
      if (waiting.length >= mostAtOnce) sendWaiting();
      else stop ??= parts.after(interval, sendWaiting);
      return answer;
    };
  };
  return { report, flush };
}

const reconciledSource = '/knudge/functions';

function constant<Value>(value: Value): () => Value {
  return () => value;
}

function deliveredOf(answered: Answered, status: number, { instance, epoch }: ReportFrom): Delivered {
  const { event, ms, outcome, reads = 0, parents = [], traceId } = answered;
  return {
    event,
    function: answered.function,
    at: new Date(epoch() - ms).toISOString(),
    ms: Math.round(ms * 10) / 10,
    status,
    outcome,
    reads,
    ...writesOf(answered),
    parents: parents.slice(0, mostParents).map(describe),
    ...(traceId !== undefined && { traceId }),
    instance,
  };
}

function writesOf({ gathered, writes = 0 }: Answered): Pick<Delivered, 'writes' | 'inVain' | 'written' | 'unlisted'> {
  if (gathered === undefined) return { writes, written: [] };
  const { written, unlisted, inVain } = gathered;
  const more = { ...(inVain > 0 && { inVain }), ...(unlisted > 0 && { unlisted }) };
  return { writes: written.length + unlisted, written: [...written], ...more };
}
