import { KnudgeError } from '../domain/errors.ts';
import { secondsOf } from '../domain/retry-after.ts';
import { type Call, isRead, nameOf } from './call.ts';
import { refusal } from './errors.ts';
import type { Answer, Ending } from './exchange.ts';

/** The JSON of a success; throws an error for every other ending. */
export function conclude(call: Call, ending: Ending, { now, timeoutMs }: { now: number; timeoutMs: number }): unknown {
  switch (ending.kind) {
    case 'timed-out':
      throw lost(call, `no answer within ${timeoutMs} ms`);
    case 'broken':
      throw broken(call, ending);
    case 'too-long':
      throw unreadable(call, ending.status, 'the answer is longer than Knudge takes');
    case 'answered':
      break;
  }
  const { status, answer } = ending;
  const isSuccess = status >= 200 && status < 300;
  const json = jsonOf(answer);
  if (!isSuccess)
    throw refusal(call, { status, body: json?.value, retryAfterSeconds: secondsOf(answer.retryAfter, now) });
  if (json === undefined) throw unreadable(call, status, 'the answer is not JSON');
  return json.value;
}

function jsonOf({ contentType, text }: Answer): { readonly value: unknown } | undefined {
  if (!/^application\/(jwk-set\+)?json\b/i.test(contentType)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function broken(call: Call, { sent, cause }: Extract<Ending, { kind: 'broken' }>): KnudgeError {
  const what = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'connection closed';
  if (sent) return lost(call, `the connection broke (${what})`);
  const advice = 'check the address, the network and the certificate authority';
  return new KnudgeError('unavailable', `${nameOf(call)}: the API server cannot be reached (${what}): ${advice}`, {
    cause,
  });
}

/** A failed read is only unavailable; a failed write may have happened. */
function lost(call: Call, why: string): KnudgeError {
  return isRead(call)
    ? new KnudgeError('unavailable', `${nameOf(call)}: ${why}`)
    : new KnudgeError('outcome-unknown', `${nameOf(call)}: ${why}; it may have happened, so read again`);
}

/** A success that cannot be understood: a write happened, but what it made is unknown. */
function unreadable(call: Call, status: number, why: string): KnudgeError {
  const isSuccess = status >= 200 && status < 300;
  if (!isRead(call) && isSuccess) return lost(call, `status ${status}, but ${why}`);
  return new KnudgeError(
    'unexpected-answer',
    `${nameOf(call)}: status ${status}, and ${why}: is this a Kubernetes API server?`,
  );
}
