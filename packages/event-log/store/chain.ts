import { createHash } from 'node:crypto';
import type { Link, RecordedEvent, Stretch } from '../../controller/domain/event-log.ts';

/** The hash before the first event of a chain. */
export const nothing = '';

type Attribute = 'recorded' | 'id' | 'source' | 'type' | 'time';
type About = 'kind' | 'namespace' | 'name' | 'data';

/** What is kept of an event, without its place; extensions and data are JSON. */
export type Kept = Readonly<Record<Attribute | 'extensions', string> & Record<About, string | null>> & {
  readonly shortened: number | null;
};

/** The hash of one event and the hash before it, as SHA-256 in base64url. */
export function hashOf(previous: string, kept: Kept): string {
  const { recorded, id, source, type, time, kind, namespace, name, extensions, data, shortened } = kept;
  const text = [previous, recorded, id, source, type, time, kind, namespace, name, extensions, data, shortened];
  return createHash('sha256').update(JSON.stringify(text)).digest('base64url');
}

/** An event as it was when its hash was made. */
export function keptOf(event: RecordedEvent): Kept {
  const { kind, namespace, name, data, shortened, ...others } = event;
  return {
    ...others,
    kind: kind ?? null,
    namespace: namespace ?? null,
    name: name ?? null,
    shortened: shortened ?? null,
    extensions: JSON.stringify(event.extensions),
    data: data === undefined ? null : JSON.stringify(data),
  };
}

/** Joins the links to remove and the stretches beside them into as few stretches as possible, in their order. */
export function stretchesOf(links: readonly Link[], beside: readonly Stretch[]): readonly Stretch[] {
  const single = links.map(({ seq, previous, hash }) => ({ first: seq, last: seq, events: 1, previous, hash }));
  const sorted = [...single, ...beside].sort((one, other) => one.first - other.first);
  const joined: Stretch[] = [];
  for (const next of sorted) {
    const former = joined.at(-1);
    if (former?.hash !== next.previous) joined.push(next);
    else joined[joined.length - 1] = { ...next, ...joinedTo(former, next) };
  }
  return joined;
}

function joinedTo(former: Stretch, next: Stretch): Pick<Stretch, 'first' | 'events' | 'previous'> {
  return { first: former.first, events: former.events + next.events, previous: former.previous };
}
