import type { Answer, CloudEvent, Deliver, Destination } from '../cloud-event.ts';
import type { Report } from '../hop.ts';
import type { TriggerSpec } from '../mesh-spec.ts';
import { addressOf } from './address.ts';
import { mostErrorBytes, toDeadLetter } from './dead-letter.ts';
import { type Sleep, tryOften } from './tries.ts';
import { judge, judgeStatus, type Verdict } from './verdict.ts';

export interface DeliveryParts {
  readonly deliver: Deliver;
  readonly report: Report;
  /** Milliseconds since 1970, with a fraction; never goes back. */
  readonly now: () => number;
  readonly sleep: Sleep;
  /** Ends waits between tries when the Broker closes. */
  readonly signal: AbortSignal;
  /** Takes a function's reply into the Broker again. */
  readonly takeReply: (event: CloudEvent) => Promise<Answer>;
}

/** Finished: a subscriber or a dead-letter sink has the event. Dropped: it is lost. Abandoned: the Broker closed meanwhile. */
export type DeliveryResult = 'finished' | 'dropped' | 'abandoned';

type Refused = Extract<Verdict, { kind: 'refused' }>;

/** Does everything for one event and one Trigger that wants it, up to the dead letter; never rejects. */
export async function deliverEvent(
  trigger: TriggerSpec,
  event: CloudEvent,
  parts: DeliveryParts,
): Promise<DeliveryResult> {
  const verdict = await tryOften(
    (attempt) => trySubscriber(trigger, event, { ...parts, attempt }),
    trigger.delivery,
    parts,
  );
  if (verdict === undefined) return 'abandoned';
  if (verdict.kind === 'refused') return deadLetter(trigger, event, { ...parts, refused: verdict });
  if (verdict.reply === undefined) return 'finished';
  const taken = await sendReply(trigger, event, { ...parts, reply: verdict.reply });
  if (taken === undefined) return 'abandoned';
  return taken.kind === 'taken' ? 'finished' : deadLetter(trigger, event, { ...parts, refused: taken });
}

async function trySubscriber(
  trigger: TriggerSpec,
  event: CloudEvent,
  { attempt, ...parts }: DeliveryParts & { readonly attempt: number },
): Promise<Verdict> {
  const to = trigger.subscriber;
  const { answer, ms, timedOut } = await ask(to, toSubscriber(event, trigger.namespace), { trigger, parts });
  const verdict = judge(answer, { to: addressOf(to), timedOut });
  const why = verdict.kind === 'refused' && { why: verdict.why };
  const headers = answer.kind === 'answered' ? answer.headers : {};
  parts.report({
    kind: 'delivered',
    trigger: nameOf(trigger),
    event,
    attempt,
    status: verdict.status,
    ...why,
    ms,
    headers,
  });
  return verdict;
}

/** The event as a function sees it: without the count of passes, and with the sign that it may reply. */
function toSubscriber({ attributes, headers, ...event }: CloudEvent, namespace: string): CloudEvent {
  const { knativebrokerttl: _, ...rest } = attributes;
  return { ...event, attributes: rest, headers: { ...headers, 'kn-namespace': namespace, prefer: 'reply' } };
}

interface Asking {
  readonly trigger: TriggerSpec;
  readonly parts: DeliveryParts;
}

async function ask(to: Destination, event: CloudEvent, { trigger, parts }: Asking) {
  const { timeoutMs } = trigger.delivery;
  const began = parts.now();
  const answer = await parts.deliver(to, event, timeoutMs);
  const ms = parts.now() - began;
  // Timers may be early by a millisecond.
  const timedOut = answer.kind === 'failed' && timeoutMs !== undefined && ms >= timeoutMs - 2;
  return { answer, ms, timedOut };
}

/** A reply gets the passes of the event that it answers; the ingress takes one off. */
async function sendReply(
  trigger: TriggerSpec,
  event: CloudEvent,
  { reply, ...parts }: DeliveryParts & { readonly reply: CloudEvent },
): Promise<Verdict | undefined> {
  const { knativebrokerttl = '0' } = event.attributes;
  const sent: CloudEvent = {
    ...reply,
    attributes: { ...reply.attributes, knativebrokerttl },
    headers: { 'kn-namespace': trigger.namespace },
  };
  const to = addressOf({ kind: 'broker', namespace: trigger.namespace, name: trigger.broker });
  let attempts = 0;
  const verdict = await tryOften(
    async (attempt) => {
      attempts = attempt;
      return judgeStatus(await parts.takeReply(sent), { to, timedOut: false });
    },
    trigger.delivery,
    parts,
  );
  parts.report({ kind: 'sent', source: nameOf(trigger), event: sent, attempts, status: verdict?.status ?? 0 });
  return verdict;
}

async function deadLetter(
  trigger: TriggerSpec,
  event: CloudEvent,
  { refused, ...parts }: DeliveryParts & { readonly refused: Refused },
): Promise<DeliveryResult> {
  const sink = trigger.delivery.deadLetterSink;
  const drop = (more: string): DeliveryResult => {
    parts.report({ kind: 'dropped', trigger: nameOf(trigger), event, why: `${refused.why}; ${more}` });
    return 'dropped';
  };
  if (sink === undefined) return drop('there is no dead-letter sink');
  warnOfPanic(trigger, refused, parts.report);
  const letter = toDeadLetter(event, trigger.namespace, refused.error);
  const to = addressOf(sink);
  const trySink = async () => {
    const { answer, timedOut } = await ask(sink, letter, { trigger, parts });
    return judgeStatus(answer, { to, timedOut });
  };
  const verdict = await tryOften(trySink, trigger.delivery, parts);
  if (verdict === undefined) return 'abandoned';
  if (verdict.kind === 'refused') return drop(`the dead-letter sink ${to}: ${verdict.why}`);
  parts.report({ kind: 'dead-lettered', trigger: nameOf(trigger), event: letter, to, status: verdict.status });
  return 'finished';
}

function warnOfPanic(trigger: TriggerSpec, { error }: Refused, report: Report): void {
  const length = error?.data.length ?? 0;
  if (length <= mostErrorBytes) return;
  report({
    kind: 'warning',
    about: `Trigger ${nameOf(trigger)}`,
    text:
      `its function answered an error with a body of ${length} bytes: above ${mostErrorBytes} the dispatcher of a real ` +
      'MTChannelBasedBroker panics, and every event in flight is lost. Keep error bodies at 512 bytes at most',
  });
}

function nameOf({ namespace, name }: TriggerSpec): string {
  return `${namespace}/${name}`;
}
