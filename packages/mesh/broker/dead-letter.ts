import type { CloudEvent } from '../cloud-event.ts';
import type { DeliveryError } from './verdict.ts';

/** Base64 of this many bytes is 1,024 characters, the most that the extension takes. */
export const mostErrorBytes = 768;

/**
 * The event as a dead-letter sink gets it: the original with its id, with knativebrokerttl, and with the error if
 * there is one to report. Attributes of an earlier failure stay (the real dispatcher only adds what is missing).
 */
export function toDeadLetter(event: CloudEvent, namespace: string, error: DeliveryError | undefined): CloudEvent {
  const headers = { ...event.headers, 'kn-namespace': namespace };
  if (error === undefined) return { ...event, headers };
  const told = {
    knativeerrordest: error.to,
    knativeerrorcode: String(error.code),
    knativeerrordata: error.data.subarray(0, mostErrorBytes).toString('base64'),
  };
  return { ...event, attributes: { ...told, ...event.attributes }, headers };
}
