import { discreet } from './discreet.ts';
import { type EventStamp, eventOf } from './event-of.ts';
import { type Happening, placeOf } from './news.ts';
import type { Parcel } from './parcel.ts';

/** What an event says besides its change, and the clock. */
export interface PackWith extends Omit<EventStamp, 'id' | 'time'> {
  readonly now: () => Date;
}

/**
 * Makes the event of a change ready to be sent. Its id follows from the object and its version, so an event that is sent again after a
 * crash has the same id; and events of one object are in one partition of Kafka.
 */
export function pack(happening: Happening, { now, ...stamp }: PackWith): Parcel {
  const { verb, object } = happening;
  const { uid = '', resourceVersion = '' } = object.metadata;
  const id = `${uid}-${resourceVersion}-${verb}`;
  const place = `${object.kind} ${placeOf(object)}`;
  const event = eventOf({ verb, object: discreet(object) }, { ...stamp, id, time: now().toISOString() });
  return {
    object: place,
    event: { ...event, attributes: { ...event.attributes, partitionkey: place } },
    bytes: event.data.length + overhead,
  };
}

/** Bytes that an event takes beside its body: headers, places in queues. */
const overhead = 1024;
