import {
  fitted,
  type PlannedWrite,
  plannedWrites,
  type Room,
} from '../../packages/event-log/replay/planned-changes.ts';
import type { Asked } from '../replay/ask-all.ts';

/** The most writes of one answer. */
const mostWrites = 1000;

/** The most changes of one write, and the most characters of one value and of all changes of an answer. */
const room: Room = { most: 100, longest: 4000, left: 500_000 };

type About = Pick<PlannedWrite, 'kind' | 'namespace' | 'name'>;

interface Found {
  readonly about: About;
  readonly events: Set<number>;
  readonly functions: Set<string>;
  /** By the kind of write; the last plan of each. */
  readonly writes: Map<string, PlannedWrite>;
}

interface Failure {
  readonly function: string;
  readonly failed: string;
  readonly events: Set<number>;
}

/** What would change, each object once: several events about an object have the same plan for it. */
export class PlanByObject {
  readonly #objects = new Map<string, Found>();
  readonly #failures = new Map<string, Failure>();
  readonly #leftOut = new Set<string>();
  #kept = 0;
  #answers = 0;

  /** Takes what functions would write for the event at this place. */
  add(event: number, asked: readonly Asked[]): void {
    this.#answers += asked.length;
    for (const { function: name, planned } of asked) {
      if (planned.kind === 'failed') this.#fail(event, { function: name, failed: planned.why });
      else this.#plan(event, name, planned.plans.flatMap(plannedWrites));
    }
  }

  /** Each object with its last plan, as far as there is room; why functions have no plan; how many functions answered. */
  answer(): object {
    const left = { ...room };
    return {
      objects: [...this.#objects.values()].map(({ about, events, functions, writes }) => ({
        ...about,
        ...counted(events),
        functions: [...functions],
        writes: [...writes.values()].map((write) => withoutObject(fittedAgain(write, left))),
      })),
      ...(this.#leftOut.size > 0 && { leftOut: this.#leftOut.size }),
      failed: [...this.#failures.values()].map(({ events, ...failure }) => ({ ...failure, ...counted(events) })),
      answers: this.#answers,
    };
  }

  #fail(event: number, { function: name, failed }: Omit<Failure, 'events'>): void {
    const key = `${name}\n${failed}`;
    const known = this.#failures.get(key) ?? { function: name, failed, events: new Set() };
    this.#failures.set(key, known);
    known.events.add(event);
  }

  #plan(event: number, name: string, writes: readonly PlannedWrite[]): void {
    const own = new Map<string, number>();
    for (const write of writes) {
      const object = JSON.stringify([write.kind, write.namespace, write.name]);
      const count = own.get(`${write.do} ${object}`) ?? 0;
      own.set(`${write.do} ${object}`, count + 1);
      const found = this.#keep(object, `${write.do} ${count}`, write);
      found?.events.add(event);
      found?.functions.add(name);
    }
  }

  /** The object, where there was room for the write. */
  #keep(object: string, turn: string, write: PlannedWrite): Found | undefined {
    const { kind, namespace, name } = write;
    const known = this.#objects.get(object);
    const found = known ?? {
      about: { kind, namespace, name },
      events: new Set(),
      functions: new Set(),
      writes: new Map(),
    };
    if (!found.writes.has(turn)) {
      if (this.#kept === mostWrites) {
        this.#leftOut.add(`${turn} ${object}`);
        return known;
      }
      this.#kept += 1;
    }
    this.#objects.set(object, found);
    // At the end: the writes of the last plan stand in their order.
    found.writes.delete(turn);
    found.writes.set(turn, fitted(write, { ...room }));
    return found;
  }
}

/** How many events, and the place of the last. */
function counted(events: ReadonlySet<number>): { readonly events: number; readonly last: number } {
  return { events: events.size, last: Math.max(0, ...events) };
}

/** With as much of a fitted write as there is room for in the answer. */
function fittedAgain(write: PlannedWrite, left: Room): PlannedWrite {
  const { leftOut = 0, ...shown } = fitted({ ...write, leftOut: 0 }, left);
  const all = leftOut + (write.leftOut ?? 0);
  return all === 0 ? shown : { ...shown, leftOut: all };
}

function withoutObject({ kind: _, namespace: __, name: ___, ...write }: PlannedWrite): object {
  return write;
}
