import type { Received } from '../../packages/controller/domain/change.ts';
import { decode } from '../../packages/controller/wire/decode.ts';
import { recorded } from '../../test/build/event.ts';

const pod = decode(recorded('pod-changed/pod-add'));

/** Bytes of its data and attributes as one line of JSON. */
export const eventBytes = lineOf(eventOf(0)).length;

/** A recorded event of a Pod with an id and a Pod of its own: each namespace has a thousand. */
export function eventOf(number: number): Received {
  const extensions = new Map([
    ...pod.extensions,
    ['namespace', `ns-${Math.floor(number / 1000)}`],
    ['name', `pod-${number}`],
  ] as const);
  return { ...pod, id: `bench-${number}`, extensions };
}

export function lineOf({ extensions, ...event }: Received): Buffer {
  return Buffer.from(`${JSON.stringify({ ...event, ...Object.fromEntries(extensions) })}\n`);
}
