import { successOf } from '../http/answer.ts';
import { parseBody } from '../http/body.ts';
import { conflict, notFound } from '../http/problem.ts';
import type { ApiRequest, ServerContext } from '../http/request.ts';
import { timestamp } from '../http/request.ts';
import type { Target } from '../http/route.ts';
import { noMethod, noResource } from '../http/route.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import { find, placeOf, put } from './write.ts';

/** POST of a Binding: a scheduler binds a Pod. */
export function bind(world: ServerContext, target: Target, request: ApiRequest): JsonObject {
  if (target.kind.kind !== 'Pod') throw noResource();
  if (request.method !== 'POST') throw noMethod();
  const { name: node = '' } = objectAt(parseBody(request, 'Binding'), 'target');
  bindPod(world, target, String(node));
  const { details: _, ...status } = successOf({});
  return { ...status, code: 201 };
}

/** The Pod runs on this node from now on; throws 404, and 409 if it has a node already. */
export function bindPod(world: ServerContext, target: Target, node: string): JsonObject {
  const before = find(world, target);
  if (before === undefined) throw notFound(target.kind, target.name);
  const { nodeName = '' } = objectAt(before, 'spec');
  if (nodeName !== '') {
    const why = `pod ${target.name} is already assigned to node "${String(nodeName)}"`;
    throw conflict({ ...target.kind, plural: 'pods/binding' }, target.name, why);
  }
  const status = objectAt(before, 'status');
  const others = isArray(status['conditions']) ? status['conditions'].filter((one) => !isScheduled(one)) : [];
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(world.now()),
  };
  const object = {
    ...before,
    spec: { ...objectAt(before, 'spec'), nodeName: node },
    status: { ...status, conditions: [...others, scheduled] },
  };
  return put(world, target, { place: placeOf(target), object });
}

function isScheduled(condition: Json): boolean {
  return isObject(condition) && condition['type'] === 'PodScheduled';
}
