import { describe } from '../../controller/domain/kube-object.ts';
import { annotations } from '../../controller/domain/names.ts';
import { targetOf, type Write } from '../../controller/domain/plan.ts';
import type { ObjectPlan } from './plans.ts';

/** One place where two plans differ; what a side lacks is absent there. */
export interface Difference {
  /** `apply ConfigMap shop/settings`, or another part of a plan. */
  readonly of: string;
  /** `/data/eds.json`; empty for the whole part. */
  readonly field: string;
  readonly here?: unknown;
  readonly there?: unknown;
}

/**
 * The differences between what two functions would write. The order of writes, conditions, notices, finalizers and owners does not
 * matter. Left out, because they differ by nature: the objects and versions that each has read, when a condition changed
 * (each uses its own clock), the hash over the data of a Secret, which is made anew each time, and which writes an Event reports.
 */
export function differencesOf(here: readonly ObjectPlan[], there: readonly ObjectPlan[]): readonly Difference[] {
  const [one, other] = [partsOf(here), partsOf(there)];
  const titles = [...new Set([...one.keys(), ...other.keys()])];
  return titles.flatMap((of) => compare(one.get(of), other.get(of), { of, field: '' }));
}

/** The parts of all plans, keyed by what they are about. */
function partsOf(plans: readonly ObjectPlan[]): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>();
  for (const { ref, plan } of plans) {
    const title = describe(ref);
    for (const write of plan.writes) parts.set(`${write.do} ${describe(targetOf(write, ref))}`, contentOf(write));
    for (const { of: _, ...notice } of plan.notices) parts.set(`Event ${notice.reason} about ${title}`, notice);
    if (plan.nudge !== undefined) parts.set(`nudge by ${title}`, plan.nudge);
    if (plan.again) parts.set(`another look at ${title}`, true);
  }
  return parts;
}

function contentOf(write: Write): unknown {
  switch (write.do) {
    case 'create':
    case 'apply':
      return settled(write.object);
    case 'delete':
      return { propagation: write.propagation };
    case 'scale':
      return { replicas: write.replicas };
    case 'finalizers':
      return write.finalizers.toSorted();
    case 'status': {
      const { conditions, ...others } = write.status;
      return {
        ...others,
        conditions: Object.fromEntries(
          conditions.map(({ type, lastTransitionTime: _, ...condition }) => [type, condition]),
        ),
      };
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

function settled(object: Extract<Write, { do: 'create' }>['object']): unknown {
  const { metadata } = object;
  const { [annotations.specHash]: specHash, ...others } = metadata.annotations ?? {};
  const owners = metadata.ownerReferences?.toSorted((one, other) => (one.uid < other.uid ? -1 : 1));
  const isKept = specHash !== undefined && object.kind !== 'Secret';
  return {
    ...object,
    metadata: {
      ...metadata,
      annotations: isKept ? metadata.annotations : others,
      finalizers: metadata.finalizers?.toSorted(),
      ownerReferences: owners,
    },
  };
}

function compare(here: unknown, there: unknown, at: { of: string; field: string }): readonly Difference[] {
  if (isObject(here) && isObject(there) && Array.isArray(here) === Array.isArray(there)) {
    const names = [...new Set([...Object.keys(here), ...Object.keys(there)])];
    return names.flatMap((name) => {
      const field = `${at.field}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return compare(here[name], there[name], { of: at.of, field });
    });
  }
  if (here === there) return [];
  return [{ ...at, ...(here !== undefined && { here }), ...(there !== undefined && { there }) }];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** The places where two values differ, as of one object before and after; what a side lacks is absent there. */
export function changesBetween(
  before: unknown,
  after: unknown,
): readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[] {
  return compare(before, after, { of: '', field: '' }).map(({ field, here, there }) => ({
    field,
    ...(here !== undefined && { before: here }),
    ...(there !== undefined && { after: there }),
  }));
}
