import { union } from './field-set.ts';
import { idOf, type Manager, type Managers } from './managers.ts';

const maxUpdates = 10;

/** Joins the oldest updates of one version to `ancient-changes` until ten are left. */
export function capUpdates(managers: Managers): Managers {
  const updates = [...managers].filter(([, { operation }]) => operation === 'Update').sort(oldestFirst);
  let excess = updates.length - maxUpdates;
  const result = new Map(managers);
  const firsts = new Map<string, string>();
  for (const [id, manager] of updates) {
    if (excess <= 0) break;
    const { apiVersion } = manager;
    const first = firsts.get(apiVersion);
    if (first === undefined) {
      firsts.set(apiVersion, id);
      continue;
    }
    const bucket = { name: 'ancient-changes', operation: 'Update', apiVersion, subresource: '' } as const;
    const old = result.get(idOf(bucket)) ?? result.get(first) ?? manager;
    if (!result.has(idOf(bucket))) result.delete(first);
    result.delete(id);
    const { time } = manager;
    result.set(idOf(bucket), {
      ...bucket,
      ...(time !== undefined && { time }),
      fields: union(manager.fields, old.fields),
    });
    excess -= 1;
  }
  return result;
}

function oldestFirst([id, one]: [string, Manager], [otherId, other]: [string, Manager]): number {
  const [time, otherTime] = [one.time ?? '', other.time ?? ''];
  if (time !== otherTime) return time < otherTime ? -1 : 1;
  return id < otherId ? -1 : 1;
}
