import { firstBudget, passBudget } from '../../../packages/controller/decide/budget.ts';
import { mapping } from '../../../packages/controller/react/change.ts';
import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { isNotice, isRead } from './accessors.ts';
import type { OraclesWith } from './inspection.ts';
import { resourceOf } from './managed.ts';
import { lastRead, type Pass, passesOf } from './passes.ts';
import { asksFor, objectsIn } from './reads.ts';

/** A write is one request or two: first what was posted is made one's own, or a status that is broken is mended. */
const requestsOfWrite = 2;

interface Over {
  readonly what: string;
  readonly at: number;
}

/** Runs that asked for more than the product allows by the specs of their parents, and to learn who these are. */
export function overBudget(trace: Trace, { controllerNamespace }: Pick<OraclesWith, 'controllerNamespace'>): Over[] {
  const runs = Map.groupBy(passesOf(trace), ({ run }) => run);
  const calls = Map.groupBy(trace.calls.filter(isCounted), ({ run }) => run);
  return [...runs].flatMap(([run, passes]) => {
    const own = calls.get(run) ?? [];
    const budgets = passes.map((pass) => budgetOf(pass, own, controllerNamespace));
    const most = {
      reads: budgets.reduce((sum, { reads }) => sum + reads, mapping.reads),
      writes: budgets.reduce((sum, { writes }) => sum + writes, 0) * requestsOfWrite,
    };
    const reads = own.filter((call) => isRead(call)).length;
    const writes = own.length - reads;
    const at = own[0]?.at ?? 0;
    const told = (count: number, what: keyof typeof most): Over[] =>
      count > most[what] ? [{ what: `a run took ${count} ${what}, and its budget was ${most[what]}`, at }] : [];
    return [...told(reads, 'reads'), ...told(writes, 'writes')];
  });
}

/** What the API server answered, and asks for nothing to be done again; of a list the first page. */
function isCounted(call: TracedCall): boolean {
  const { status } = call.seen;
  if (isNotice(call) || status === 0 || status >= 500 || [401, 410, 429].includes(status)) return false;
  return call.query['continue'] === undefined;
}

function budgetOf(pass: Pass, calls: readonly TracedCall[], controllerNamespace: string) {
  const resource = resourceOf(pass.parent);
  const { object: owner } = lastRead(pass, 'owner');
  const none = { reads: 0, writes: 0 };
  if (resource === undefined) return none;
  const first = firstBudget(resource, pass.parent, controllerNamespace);
  if (owner === undefined) return first;
  const lists = resource.lists?.(pass.parent, controllerNamespace) ?? [];
  const listed = lists.map(({ name, query }) => {
    const found = calls.filter(
      ({ verb, query: asked }) => verb === 'list' && query.what === 'list' && asksFor(query, asked),
    );
    return [name, found.flatMap(objectsIn)] as const;
  });
  const then = passBudget(resource, owner, new Map(listed));
  return { reads: first.reads + then.reads, writes: first.writes + then.writes };
}
