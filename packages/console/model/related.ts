import type { LiveCondition } from '../../controller/domain/conditions.ts';
import { fieldsOf, objectsIn, textsIn } from '../../controller/domain/from-outside.ts';
import { metadataOf, objectOf, verbOf } from './objects.ts';
import type { RecordedEvent } from './types.ts';

/** An object that another one owns, with words for its state. */
export interface Child {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly state: string;
}

/** The objects that this one owns, each with its state as its newest event shows it. */
export function childrenOf(owner: RecordedEvent, among: readonly RecordedEvent[]): readonly Child[] {
  const { uid } = metadataOf(owner);
  const found = new Map<string, RecordedEvent>();
  for (const event of among) {
    const known = found.get(objectOf(event));
    if (isOwnedBy(event, uid) && (known === undefined || known.seq < event.seq)) found.set(objectOf(event), event);
  }
  return [...found.values()].map((event) => {
    const { kind = '', namespace, name = '' } = event;
    return { kind, name, ...(namespace !== undefined && { namespace }), state: stateOf(event) };
  });
}

/** Whether the object of an event has an owner of this uid. */
export function isOwnedBy(event: RecordedEvent, uid: string | undefined): boolean {
  return uid !== undefined && metadataOf(event).ownerReferences.some((one) => one.uid === uid);
}

/** The conditions of an object as an event shows them. */
export function conditionsOf(event: RecordedEvent): readonly LiveCondition[] {
  const names = ['type', 'status', 'reason', 'message', 'lastTransitionTime'] as const;
  const conditions = objectsIn(statusOf(event)['conditions']);
  return conditions.map((one) => ({ type: '', status: '', ...textsIn(one, names) }));
}

function stateOf(event: RecordedEvent): string {
  if (verbOf(event) === 'delete') return 'deleted';
  const { phase } = textsIn(statusOf(event), ['phase']);
  const ready = conditionsOf(event).find(({ type }) => type === 'Ready' || type === 'Available');
  return [phase, ready === undefined ? undefined : ready.status === 'True' ? 'ready' : 'not ready']
    .filter(Boolean)
    .join(', ');
}

function statusOf({ data }: RecordedEvent): Readonly<Record<string, unknown>> {
  return fieldsOf(fieldsOf(data)['status']);
}
