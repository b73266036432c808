import { KnudgeError } from '../../controller/domain/errors.ts';
import type { CloudEvent } from '../cloud-event.ts';
import { checkEvent } from './http-event.ts';

/** How often an event and the replies to it may pass the Broker (MAX_TTL of the real ingress). */
const mostPasses = 255;

/**
 * The event as the Broker keeps it: with its time of arrival and one pass less, or all of them if it is new.
 * `nowMs` is milliseconds since 1970, with a fraction. Throws a KnudgeError for what the real ingress answers 400:
 * a request without a CloudEvent, or an event without a pass left.
 */
export function arrive(event: CloudEvent, nowMs: number): CloudEvent {
  checkEvent(event);
  const ttl = passesLeft(event.attributes['knativebrokerttl']);
  if (ttl <= 0) throw new KnudgeError('invalid-event', 'the event has passed the Broker too often: knativebrokerttl');
  const attributes = { ...event.attributes, knativebrokerttl: String(ttl), knativearrivaltime: timeText(nowMs) };
  return { ...event, attributes };
}

function passesLeft(given: string | undefined): number {
  return given !== undefined && /^-?\d+$/.test(given) ? Number(given) - 1 : mostPasses;
}

/** RFC 3339 to the microsecond, without trailing zeros, as Go writes it. */
function timeText(nowMs: number): string {
  const whole = Math.floor(nowMs);
  const micros = Math.floor((nowMs - whole) * 1000);
  const text = `${new Date(whole).toISOString().slice(0, 23)}${String(micros).padStart(3, '0')}`;
  return `${text.replace(/\.?0+$/, '')}Z`;
}
