import { randomBytes } from 'node:crypto';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { jsonOf } from '../../../packages/controller/testing/calls/spoilt-answer.ts';
import type { Upstream } from '../proxy/upstream.ts';
import type { Place } from '../scenario.ts';

/** Names of places for any number of runs, of one length, and no part of any other text: so that one run can be written in the names of another. */
export function createPlaces(): () => Place {
  const series = randomBytes(3).toString('hex');
  let last = 0;
  return () => {
    last += 1;
    const number = String(last).padStart(5, '0');
    return { namespace: `f${series}n${number}`, controller: `f${series}c${number}` };
  };
}

/**
 * The API server as if this run were alone: lists of the whole cluster leave out what other runs have left in their
 * namespaces. Who uses a profile of the controller is looked for everywhere, and would be found there.
 */
export function viewOf(place: Place, upstream: Upstream): Upstream {
  return async (request) => {
    const answer = await upstream(request);
    if (request.method !== 'GET' || request.path.includes('/namespaces/') || answer.status !== 200) return answer;
    // Of metadata alone an empty list is null.
    const list = jsonOf(answer) as { readonly items?: readonly Pick<KubeObject, 'metadata'>[] | null } | undefined;
    if (list?.items === undefined || list.items === null) return answer;
    const items = list.items.filter(({ metadata }) => !isOfAnotherRun(metadata.namespace ?? '', place));
    return items.length === list.items.length ? answer : { ...answer, text: JSON.stringify({ ...list, items }) };
  };
}

function isOfAnotherRun(namespace: string, place: Place): boolean {
  return /^f[\da-f]{6}[nc]\d{5}$/.test(namespace) && !Object.values(place).includes(namespace);
}
