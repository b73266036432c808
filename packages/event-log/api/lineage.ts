import type { Delivery, Written } from '../../controller/domain/delivery.ts';
import type { RecordedEvent } from '../../controller/domain/event-log.ts';
import {
  type Brief,
  briefOf,
  type Cause,
  causesOf,
  endsOf,
  eventAt,
  isEnd,
  isLeaving,
  type Readable,
  versionOf,
} from './causes.ts';

/** A delivery with what it wrote and the events that came of that. */
export interface Became extends Omit<Delivery, 'written' | 'event'> {
  readonly made: readonly {
    readonly write: Written;
    readonly events: readonly (Brief & { readonly deliveries: readonly Became[] })[];
  }[];
}

export interface Lineage {
  readonly event: Brief;
  readonly causes: readonly Cause[];
  readonly deliveries: readonly Became[];
  /** There is more than is shown. */
  readonly cut?: true;
}

/** How far up and down, and how many events in all: so that one answer ends in time. */
const most = { up: 12, down: 4, events: 200, deliveries: 50 } as const;

const oldest = { order: 'oldest-first', limit: most.deliveries } as const;

/** What an event came of, and what came of it, as far as deliveries were reported. */
export async function lineageOf(log: Readable, event: RecordedEvent): Promise<Lineage> {
  const walk = new Walk(log);
  const causes = await walk.up(event, most.up);
  walk.seen.clear();
  const deliveries = await walk.down(event, most.down);
  return { event: briefOf(event), causes, deliveries, ...(walk.isCut && { cut: true as const }) };
}

/** Goes up and down, no event twice. */
class Walk {
  readonly seen = new Set<number>();
  isCut = false;
  readonly #log: Readable;

  constructor(log: Readable) {
    this.#log = log;
  }

  async up(event: RecordedEvent, depth: number): Promise<readonly Cause[]> {
    if (!this.#enters(event, depth)) return [];
    const causes = await causesOf(this.#log, event);
    return Promise.all(
      causes.map(async (cause) => {
        const former = cause.event && (await eventAt(this.#log, cause.event.seq));
        return { ...cause, causes: former === undefined ? [] : await this.up(former, depth - 1) };
      }),
    );
  }

  async down(event: Brief, depth: number): Promise<readonly Became[]> {
    if (!this.#enters(event, depth)) return [];
    const deliveries = await this.#log.deliveries({ event: event.seq }, oldest);
    const all: Became[] = [];
    for (const { written, event: _, ...delivery } of deliveries) {
      const made = [];
      for (const write of written) {
        const events = [];
        for (const one of await eventsOf(this.#log, write))
          if (one.seq !== event.seq) events.push({ ...briefOf(one), deliveries: await this.down(one, depth - 1) });
        made.push({ write, events });
      }
      all.push({ ...delivery, made });
    }
    return all;
  }

  #enters({ seq }: Brief, depth: number): boolean {
    if (this.seen.has(seq)) return false;
    if (depth === 0 || this.seen.size >= most.events) this.isCut = true;
    else this.seen.add(seq);
    return this.seen.has(seq);
  }
}

/** The events that show what a write has made; of an object that it has made also those of what others did to the object since. */
export async function eventsOf(log: Readable, write: Written): Promise<readonly RecordedEvent[]> {
  const { uid, resourceVersion: version } = write;
  const shown = version === '' ? [] : await log.events({ uid, version }, { order: 'oldest-first', limit: 5 });
  if (write.do === 'create') return [...shown, ...(await changedByOthers(log, write))];
  if (!isEnd(write)) return shown;
  const all = await log.events({ uid }, { order: 'newest-first', limit: 5 });
  const ends = all.filter((event) => isLeaving(event) && !shown.some(({ seq }) => seq === event.seq));
  return [...shown, ...ends];
}

async function changedByOthers(log: Readable, { uid, resourceVersion }: Written): Promise<readonly RecordedEvent[]> {
  const all = await log.events({ uid }, oldest);
  const [written, ended] = await Promise.all([log.deliveries({ uid }, oldest), endsOf(log, uid)]);
  const own = new Set(written.flatMap((one) => one.written.map((write) => `${write.uid} ${write.resourceVersion}`)));
  return all.filter((event) => {
    const version = versionOf(event)?.resourceVersion ?? resourceVersion;
    const isOfItsEnd = isLeaving(event) && ended.length > 0;
    return version !== resourceVersion && !isOfItsEnd && !own.has(`${uid} ${version}`);
  });
}
