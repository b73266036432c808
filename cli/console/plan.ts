import { randomUUID } from 'node:crypto';
import { requestedType } from '../../packages/controller/domain/change.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { describe } from '../../packages/controller/domain/kube-object.ts';
import { readOrder } from '../../packages/event-log/api/read-order.ts';
import { readOldestFirst, untilNow, withoutTicks } from '../../packages/event-log/replay/read.ts';
import { kindNamed, parentKinds } from '../../packages/mesh/parent-kinds.ts';
import { source } from '../broker.ts';
import { manifests } from '../manifests.ts';
import type { OpenLog } from '../open-log.ts';
import { askAll } from '../replay/ask-all.ts';
import type { PlanningFunctions } from '../replay/functions.ts';
import { PlanByObject } from './plan-by-object.ts';

export interface PlanWith {
  readonly log: OpenLog['log'];
  readonly functions: PlanningFunctions;
}

/** The most events that are planned at once. */
const most = 100;

/** Seconds for the answer of one function. */
const patience = 30;

/**
 * What the functions would write now, object by object: for one object if the body has `kind`, `namespace` and `name` alone, else for the recorded events
 * that it selects as that of `POST /replay` does. Writes nothing. Fails with a KnudgeError.
 */
export async function planFor(body: unknown, { log, functions }: PlanWith): Promise<object> {
  const { events, isCut } = await eventsFor(body, log);
  const plan = new PlanByObject();
  for (const event of events) plan.add(event.seq, await askAll(event, functions, patience));
  return { ...plan.answer(), events: events.length, ...(isCut && { cut: true }) };
}

interface Events {
  readonly events: readonly RecordedEvent[];
  /** Whether there are more of them. */
  readonly isCut: boolean;
}

async function eventsFor(body: unknown, log: OpenLog['log']): Promise<Events> {
  const { limit = most, ...order } = readOrder(Buffer.from(JSON.stringify(body ?? {})));
  const about = objectIn(body);
  if (about !== undefined) return { events: [await eventAbout(about, log)], isCut: false };
  const selection = await untilNow(log, order);
  const events: RecordedEvent[] = [];
  for await (const event of withoutTicks(readOldestFirst(log, selection), selection.filter)) {
    if (events.length === Math.min(limit, most)) return { events, isCut: true };
    events.push(event);
  }
  return { events, isCut: false };
}

interface About {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

function objectIn(body: unknown): About | undefined {
  const { kind, namespace = '', name, ...others } = (body ?? {}) as Partial<About>;
  if (kind === undefined || name === undefined || Object.keys(others).length > 0) return undefined;
  return { kind, namespace, name };
}

/** What `knudge reconcile` sends about a custom resource of Knudge's; about any other object the last event that the log has. */
async function eventAbout({ kind, namespace, name }: About, log: OpenLog['log']): Promise<RecordedEvent> {
  const { objects } = manifests();
  if (parentKinds(objects).includes(kind)) {
    const now = new Date().toISOString();
    const { apiVersion: apiversion } = kindNamed(kind, objects);
    const event = { seq: 0, recorded: now, time: now, id: randomUUID(), source, type: requestedType };
    return { ...event, kind, namespace, name, extensions: { apiversion } };
  }
  const about = { kind, name, ...(namespace !== '' && { namespace }) };
  const [last] = await log.events(about, { order: 'newest-first', limit: 1 });
  if (last !== undefined) return last;
  const object = describe({ apiVersion: '', kind, namespace, name });
  throw new KnudgeError(
    'invalid-request',
    `the log has no event about ${object}, so no function can be asked about it`,
  );
}
