import { notFound } from '../http/problem.ts';
import type { Answer } from '../http/request.ts';
import { noMethod } from '../http/route.ts';
import type { Served } from '../http/served.ts';
import { isArray, objectAt } from '../json.ts';
import { metadataOf } from './metadata.ts';
import { find } from './write.ts';

/** The log of a container up to now; undefined where its Pod runs no process. `follow` ends at once. */
export function podLog({ world, target, request }: Served): Answer | undefined {
  if (world.logOf === undefined) return undefined;
  if (request.method !== 'GET') throw noMethod();
  const pod = find(world, target);
  if (pod === undefined) throw notFound(target.kind, target.name);
  const { containers } = objectAt(pod, 'spec');
  const names = isArray(containers) ? containers.map((one) => String(objectAt(one)['name'])) : [];
  const wanted = request.query.get('container') ?? names[0] ?? '';
  const { uid = '' } = metadataOf(pod);
  const text = names.includes(wanted) ? world.logOf({ ...target, uid: String(uid), container: wanted }) : undefined;
  if (text === undefined) return undefined;
  const lines = request.query.get('tailLines');
  const headers = { 'content-type': 'text/plain' };
  return { status: 200, headers, body: lines === null ? text : lastOf(text, Number(lines)) };
}

function lastOf(text: string, count: number): string {
  const lines = text.split(/(?<=\n)/);
  return count > 0 ? lines.slice(-count).join('') : '';
}
