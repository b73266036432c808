import { createHash } from 'node:crypto';
import type { FaultPlan } from '../plan.ts';

/**
 * This many of the plans, the same for the same salt: of each kind of fault as many as of any other while there are any, and
 * of one kind no scenario before another.
 */
export function sampleOf(plans: readonly FaultPlan[], most: number, salt = ''): readonly FaultPlan[] {
  const byKind = new Map<string, { readonly plan: FaultPlan; readonly rank: string }[]>();
  for (const plan of plans) {
    const said = `${plan.scenario} ${plan.about ?? ''}`;
    const [kind = ''] = (plan.about ?? '').split(' ');
    const rank = createHash('sha256').update(`${salt} ${said}`).digest('hex');
    const rows = byKind.get(kind) ?? [];
    rows.push({ plan, rank });
    byKind.set(kind, rows);
  }
  const queues = [...byKind.values()].map((rows) => rows.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)));
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, turn) => queues.flatMap((queue) => queue.slice(turn, turn + 1)));
  return inTurn.flatMap((round) => round.map(({ plan }) => plan)).slice(0, most);
}
