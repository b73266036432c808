import { badRequest, notFound } from '../http/problem.ts';
import type { Answer } from '../http/request.ts';
import { noMethod } from '../http/route.ts';
import type { Served } from '../http/served.ts';
import { isArray, type JsonObject, objectAt } from '../json.ts';
import { type LogWish, logWish, refuseUnkept } from './log-options.ts';
import { metadataOf } from './metadata.ts';
import { find } from './write.ts';

/** The log of a container up to now; undefined where its Pod runs no process. `follow` ends at once. */
export function podLog({ world, target, request }: Served): Answer | undefined {
  if (request.method !== 'GET') throw noMethod();
  const wish = logWish(request.query, target.name);
  const pod = find(world, target);
  if (pod === undefined) throw notFound(target.kind, target.name);
  const container = containerOf(pod, target.name, wish);
  const { uid = '' } = metadataOf(pod);
  const text = world.logOf?.({ ...target, uid: String(uid), container });
  if (text === undefined) return undefined;
  refuseUnkept(request.query);
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: partOf(text, wish) };
}

/** Throws 400 for a name that no container has, and without a name where there are several. */
function containerOf(pod: JsonObject, name: string, { container }: LogWish): string {
  const names = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => namesIn(pod, field));
  if (container !== '') {
    if (names.includes(container)) return container;
    throw badRequest(`container ${container} is not valid for pod ${name}`);
  }
  const [only = '', ...others] = namesIn(pod, 'containers');
  if (others.length === 0) return only;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
}

function namesIn(pod: JsonObject, field: string): readonly string[] {
  const { [field]: all } = objectAt(pod, 'spec');
  return isArray(all) ? all.map((one) => String(objectAt(one)['name'])) : [];
}

function partOf(text: string, { tailLines, limitBytes }: LogWish): string {
  const tail = tailLines === undefined ? text : lastOf(text, tailLines);
  return limitBytes === undefined ? tail : Buffer.from(tail).subarray(0, limitBytes).toString();
}

function lastOf(text: string, count: number): string {
  const lines = text.split(/(?<=\n)/);
  return count > 0 ? lines.slice(-count).join('') : '';
}
