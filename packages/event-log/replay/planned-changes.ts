import { type ParentPlan, targetOf, type Write } from '../../controller/domain/plan.ts';
import { changesBetween } from './differences.ts';

/** One place that a write would change; what a side lacks is absent there. The whole object where `field` is empty. */
export type PlannedChange = ReturnType<typeof changesBetween>[number];

/** A write of a plan, with the object that it is about. */
export interface PlannedWrite extends Pick<Write, 'do'> {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Of a deletion: what it owns goes after it, or before it. */
  readonly propagation?: 'Background' | 'Foreground';
  /** Absent where the function does not say, as one of an older version. */
  readonly changes?: readonly PlannedChange[];
  /** How many more changes there are. */
  readonly leftOut?: number;
  /** Why the API server refused to try it. */
  readonly refusal?: string;
}

/** What stands where a value of a Secret would stand. */
const hidden = '[redacted]';

/** The writes of a plan in their order, each with all that it would change. */
export function plannedWrites(one: ParentPlan): readonly PlannedWrite[] {
  return one.plan.writes.map((write, index) => {
    const { kind, namespace, name } = targetOf(write, one.ref);
    const changes = changesOf(write, one.changes?.[index]);
    const propagation = write.do === 'delete' && { propagation: write.propagation };
    const refusal = one.changes?.[index]?.refusal;
    const known = { ...(changes !== undefined && { changes }), ...(refusal !== undefined && { refusal }) };
    return { do: write.do, kind, namespace, name, ...propagation, ...known };
  });
}

type Foreseen = NonNullable<ParentPlan['changes']>[number];

function changesOf(write: Write, foreseen: Foreseen | undefined): readonly PlannedChange[] | undefined {
  if (write.do === 'create') return [{ field: '', after: write.object }];
  if (write.do === 'delete') return [];
  if (foreseen?.after === undefined) return undefined;
  if (write.do !== 'apply') return changesBetween(foreseen.before ?? {}, foreseen.after);
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = write.live.metadata;
  const differing = changesBetween({ ...write.live, metadata }, foreseen.after);
  const keys = (foreseen.keys ?? []).map((key) => `/data/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  // The function has replaced the values of both sides by the same words.
  const secret = keys
    .filter((field) => !differing.some((change) => change.field === field))
    .map((field) => ({ field, before: hidden, after: hidden }));
  return [...differing, ...secret];
}

/** How much of a plan is shown. */
export interface Room {
  /** Characters of all changes together; what is taken is subtracted. */
  left: number;
  /** Changes of one write. */
  readonly most: number;
  /** Characters of one value. */
  readonly longest: number;
}

/** A write with as many of its changes as there is room for, and with how many are left out. */
export function fitted({ refusal, ...whole }: PlannedWrite, room: Room): PlannedWrite {
  const write = refusal === undefined ? whole : { ...whole, refusal: refusal.slice(0, room.longest) };
  const shown: PlannedChange[] = [];
  const all = write.changes ?? [];
  for (const change of all.slice(0, room.most)) {
    const short = shortened(change, room.longest);
    const size = JSON.stringify(short).length;
    if (size > room.left) break;
    room.left -= size;
    shown.push(short);
  }
  if (shown.length === all.length) return write.changes === undefined ? write : { ...write, changes: shown };
  return { ...write, changes: shown, leftOut: all.length - shown.length };
}

function shortened({ field, before, after }: PlannedChange, longest: number): PlannedChange {
  return {
    field,
    ...(before !== undefined && { before: cut(before, longest) }),
    ...(after !== undefined && { after: cut(after, longest) }),
  };
}

/** A value that is too long as the beginning of its text. */
function cut(value: unknown, longest: number): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (text.length <= longest) return value;
  return `${text.slice(0, longest)}… (${text.length - longest} characters more)`;
}
