import type { Delivery, Written } from '../../controller/domain/delivery.ts';
import type { RecordedEvent } from '../../controller/domain/event-log.ts';
import { type Calm, calmly } from './calm.ts';
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

/** How far up and down, and how many events and questions to the log in all: so that one answer ends in time. */
const most = { up: 12, down: 4, events: 200, deliveries: 50, questions: 2000 } as const;

const oldest = { order: 'oldest-first', limit: most.deliveries } as const;

/** What an event came of, and what came of it, as far as deliveries were reported; `over` aborts when nobody waits for it any more. */
export async function lineageOf(log: Readable, event: RecordedEvent, over?: AbortSignal): Promise<Lineage> {
  const walk = new Walk(calmly(log, { most: most.questions, ...(over && { over }) }));
  const causes = await walk.up(event, most.up);
  walk.seen.clear();
  const deliveries = await walk.down(event, most.down);
  return { event: briefOf(event), causes, deliveries, ...(walk.isCut && { cut: true as const }) };
}

/** Goes up and down, no event twice. */
class Walk {
  readonly seen = new Set<number>();
  readonly #log: Calm;
  /** What each write has made: a run that many events shared is reported by each of them. */
  readonly #made = new Map<string, Promise<readonly Brief[]>>();
  #isCut = false;

  constructor(log: Calm) {
    this.#log = log;
  }

  get isCut(): boolean {
    return this.#isCut || this.#log.isCut();
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
        for (const one of await this.#madeBy(write))
          if (one.seq !== event.seq) events.push({ ...one, deliveries: await this.down(one, depth - 1) });
        made.push({ write, events });
      }
      all.push({ ...delivery, made });
    }
    return all;
  }

  #madeBy(write: Written): Promise<readonly Brief[]> {
    const key = JSON.stringify([write.do, write.uid, write.resourceVersion]);
    const made = this.#made.get(key) ?? eventsOf(this.#log, write).then((events) => events.map(briefOf));
    this.#made.set(key, made);
    return made;
  }

  #enters({ seq }: Brief, depth: number): boolean {
    if (this.seen.has(seq)) return false;
    if (depth === 0 || this.seen.size >= most.events) this.#isCut = true;
    else this.seen.add(seq);
    return this.seen.has(seq);
  }
}

/** The events that show what a write has made; of an object that it has made also those that no report names since. */
export async function eventsOf(log: Readable, write: Written): Promise<readonly RecordedEvent[]> {
  const { uid, resourceVersion: version } = write;
  const shown = version === '' ? [] : await log.events({ uid, version }, { order: 'oldest-first', limit: 5 });
  if (write.do === 'create') return [...shown, ...(await notReported(log, write))];
  if (!isEnd(write)) return shown;
  const all = await log.events({ uid }, { order: 'newest-first', limit: 5 });
  const ends = all.filter((event) => isLeaving(event) && !shown.some(({ seq }) => seq === event.seq));
  return [...shown, ...ends];
}

/** Events about an object whose versions no delivery has written: somebody else did, or the report is missing. */
async function notReported(log: Readable, { uid, resourceVersion }: Written): Promise<readonly RecordedEvent[]> {
  const [all, ended] = await Promise.all([log.events({ uid }, oldest), endsOf(log, uid)]);
  const kept = all.map(async (event) => {
    const version = versionOf(event)?.resourceVersion ?? resourceVersion;
    if (version === resourceVersion || (isLeaving(event) && ended.length > 0)) return [];
    // Each version is asked for by itself: a run that many events shared is in as many deliveries as these.
    const [writer] = await log.deliveries({ uid, version }, { order: 'oldest-first', limit: 1 });
    return writer === undefined ? [event] : [];
  });
  return (await Promise.all(kept)).flat();
}
