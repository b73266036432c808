import { type Outgoing, ofKnative, replayExtension, shortenedExtension } from '../../controller/domain/change.ts';
import type { RecordedEvent } from '../../controller/domain/event-log.ts';

/** Attributes of CloudEvents themselves (1.0.2, section 3): none of these is an extension, even if a file calls it one. */
const ofCloudEvents: ReadonlySet<string> = new Set([
  ...['specversion', 'id', 'source', 'type', 'time', 'subject', 'data', 'datacontenttype', 'dataschema'],
]);

/**
 * A recorded event as it is sent once more: with its own id, source, type, time and data, marked as a replay, and without what
 * Knative adds to events that pass a Broker. A shortened event is marked as such. Attributes with a field of their own win over
 * extensions of that name.
 */
export function outgoingOf({ id, type, source, time, kind, namespace, name, ...rest }: RecordedEvent): Outgoing {
  const about = Object.entries({ kind, namespace, name }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const others = Object.entries(rest.extensions).filter(([key]) => !ofCloudEvents.has(key) && !ofKnative.test(key));
  const extensions = {
    ...Object.fromEntries([...others, ...about]),
    ...(rest.shortened !== undefined && { [shortenedExtension]: String(rest.shortened) }),
    [replayExtension]: 'true',
  };
  return { id, type, source, time, extensions, ...(rest.data !== undefined && { data: rest.data }) };
}
