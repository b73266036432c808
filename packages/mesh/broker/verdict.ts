import { asKnudgeError } from '../../controller/domain/errors.ts';
import type { Answer, CloudEvent } from '../cloud-event.ts';
import { claimsEvent, replyOf } from './http-event.ts';

/** What an answer means for the event. */
export type Verdict =
  | { readonly kind: 'taken'; readonly status: number; readonly reply?: CloudEvent }
  | {
      readonly kind: 'refused';
      /** 0 if there was no answer. */
      readonly status: number;
      readonly why: string;
      /** Whether another try makes sense. */
      readonly again: boolean;
      /** What a dead letter reports of it; the real Broker reports nothing of some failures. */
      readonly error?: DeliveryError;
    };

export interface DeliveryError {
  readonly to: string;
  readonly code: number;
  readonly data: Buffer;
}

export interface Asked {
  /** The address as dead letters name it. */
  readonly to: string;
  readonly timedOut: boolean;
}

/**
 * What a subscriber's answer means (all measured on the real MTChannelBasedBroker): another try follows no answer, 404, 408,
 * 409, 429 and 5xx; a 2xx must be empty or a CloudEvent, else the Broker's filter makes it a 502. The dead letter
 * reports nothing of such a 502, of time-outs and of 304.
 */
export function judge(answer: Answer, asked: Asked): Verdict {
  const verdict = judgeStatus(answer, asked);
  if (verdict.kind === 'refused' || answer.kind === 'failed') return verdict;
  if (!claimsEvent(answer)) {
    if (answer.body.length === 0) return verdict;
    return badReply(`it answered ${answer.status} with a body that is not a CloudEvent: the Broker makes that a 502`);
  }
  try {
    return { ...verdict, reply: replyOf(answer) };
  } catch (thrown) {
    return badReply(
      `its reply is not a valid CloudEvent, which the Broker makes a 502: ${asKnudgeError(thrown).message}`,
    );
  }
}

/** The same if the body of a 2xx does not matter: for dead-letter sinks, and for the Broker that takes a reply. */
export function judgeStatus(answer: Answer, { to, timedOut }: Asked): Verdict {
  if (answer.kind === 'failed') {
    const refused = { kind: 'refused', status: 0, why: answer.why, again: true } as const;
    const data = Buffer.from(`dispatch error: Post "${to}": ${answer.why}`);
    return timedOut ? refused : { ...refused, error: { to, code: 500, data } };
  }
  const { status, body } = answer;
  if (status >= 200 && status < 300) return { kind: 'taken', status };
  const refused = { kind: 'refused', status, why: `it answered ${status}`, again: isRetried(status) } as const;
  return status === 304 ? refused : { ...refused, error: { to, code: status, data: body } };
}

function badReply(why: string): Verdict {
  return { kind: 'refused', status: 502, why, again: true };
}

function isRetried(status: number): boolean {
  return status >= 500 || status === 404 || status === 408 || status === 409 || status === 429;
}
