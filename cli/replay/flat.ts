import type { ObjectPlan } from '../../packages/event-log/replay/plans.ts';
import type { Asked } from './ask-all.ts';

/** Characters of the plans of one event. */
const most = 500_000;

/** What functions would write for one event, for programs: as many writes as there is room for, and how many are left out. */
export function flat(asked: readonly Asked[]): readonly object[] {
  const room = { left: most };
  return asked.map(({ function: name, planned }) => {
    if (planned.kind === 'failed') return { function: name, failed: planned.why };
    const shown = planned.plans.flatMap((one) => fitted(one, room) ?? []);
    const leftOut = writesIn(planned.plans) - writesIn(shown);
    return { function: name, plans: shown, ...(leftOut > 0 && { leftOut }) };
  });
}

/** A plan with its first writes; undefined where there is no room for one. */
function fitted(one: ObjectPlan, room: { left: number }): ObjectPlan | undefined {
  const { writes } = one.plan;
  const cut = (count: number): ObjectPlan => ({
    ...one,
    plan: { ...one.plan, writes: writes.slice(0, count) },
    ...(one.changes !== undefined && { changes: one.changes.slice(0, count) }),
  });
  const size = JSON.stringify(cut(0)).length;
  if (size > room.left) return undefined;
  room.left -= size;
  for (const [index, write] of writes.entries()) {
    const more = JSON.stringify([write, one.changes?.[index]]).length;
    if (more > room.left) return index === 0 ? undefined : cut(index);
    room.left -= more;
  }
  return one;
}

function writesIn(plans: readonly ObjectPlan[]): number {
  return plans.reduce((sum, { plan }) => sum + plan.writes.length, 0);
}
