import { functions, services } from '../../functions/table.ts';
import type { FunctionRow } from '../../packages/controller/functions/rows.ts';
import type { FirstEvent } from '../../packages/image/cache/compile.ts';
import { changesOf, eventsOf } from '../../packages/image/cache/first-events.ts';

/**
 * The first work of a function after it woke: an event of its kind that concerns no parent, and one whose parents it reads and
 * finds gone; else an event of each of its types, or questions. The code cache holds what was compiled until then.
 */
export function firstEvents(stem: string, given: readonly string[] = []): readonly FirstEvent[] {
  const shared = given.length > 0 ? given : new Map<string, readonly string[]>(Object.entries(services)).get(stem);
  if (shared !== undefined) {
    return shared.flatMap((one) => firstEvents(one).map((first) => ({ ...first, path: `/${one}` })));
  }
  const row = new Map<string, FunctionRow>(Object.entries(functions)).get(stem);
  if (row?.wakes === 'question') return questions();
  if (row?.wakes !== 'event')
    return changesOf(row?.kind ?? '/Pod', { owner: gone, labels: { 'frp.io/service': 'gone' } });
  return eventsOf(row);
}

const gone = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' };

/** A server's questions: about a client without a service, and about a service that does not exist, which is read before the answer. */
function questions(): readonly FirstEvent[] {
  const metas = { service: 'build/gone', uid: '1' };
  const contents = { Login: { metas, privilege_key: 'token', timestamp: 1 }, Ping: { user: { metas } } };
  return Object.entries(contents).map(([op, content]) => ({
    path: `/build/profile?version=0.1.0&op=${op}`,
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version: '0.1.0', op, content }),
  }));
}
