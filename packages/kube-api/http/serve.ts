import { requestToken } from '../identity/token-request.ts';
import { bind } from '../objects/bind.ts';
import { serveAll, serveWatch } from '../objects/collection.ts';
import { answersWithObject, remove } from '../objects/delete.ts';
import { podLog } from '../objects/log.ts';
import { metadataOf } from '../objects/metadata.ts';
import { patch } from '../objects/patch.ts';
import { insistOnUid, insistOnVersion, isCreatedByPut } from '../objects/preconditions.ts';
import { scale } from '../objects/scale.ts';
import type { Written } from '../objects/write.ts';
import { create, find, update } from '../objects/write.ts';
import { negotiate } from './accept.ts';
import { answer, answerProblem, successOf } from './answer.ts';
import { deleteWish, writeOptions } from './options.ts';
import { ApiProblem, notFound } from './problem.ts';
import type { ApiAnswer, ApiRequest, ServerContext } from './request.ts';
import type { Target } from './route.ts';
import { noMethod, noResource } from './route.ts';
import type { Served } from './served.ts';
import { answerObject, decodeBody } from './served.ts';

/** Answers a request for objects. */
export function serve(world: ServerContext, target: Target, request: ApiRequest): ApiAnswer {
  const { deprecation } = target.kind;
  const warnings = deprecation === undefined ? [] : [deprecation];
  try {
    const served = {
      world,
      target,
      request,
      warnings,
      wanted: negotiate(request.headers['accept'], target.name === ''),
    };
    if (target.name === '') return serveAll(served);
    if (target.kind.isReview === true) throw noResource();
    return target.subresource === '' ? serveOne(served) : servePart(served);
  } catch (thrown) {
    return answerProblem(thrown, warnings);
  }
}

function serveOne(served: Served): ApiAnswer {
  const { request, target } = served;
  switch (request.method) {
    case 'GET':
      if (target.watch) return serveWatch(onlyOne(served));
      return serveGet(served);
    case 'PUT':
      return servePut(served);
    case 'PATCH':
      return servePatch(served);
    case 'DELETE':
      return serveDelete(served);
    default:
      throw noMethod();
  }
}

function onlyOne(served: Served): Served {
  const query = new URLSearchParams(served.request.query);
  query.set('fieldSelector', `metadata.name=${served.target.name}`);
  return { ...served, request: { ...served.request, query } };
}

function serveGet(served: Served): ApiAnswer {
  const { world, target } = served;
  const object = find(world, target);
  if (object === undefined) throw notFound(target.kind, target.name);
  return answerObject(200, object, served);
}

function servePut(served: Served): ApiAnswer {
  const { world, target, request } = served;
  const write = writeOptions('Update', request);
  const { object: given, warnings } = decodeBody(served, write);
  const before = find(world, target);
  const all = { ...served, warnings: [...served.warnings, ...warnings] };
  insistOnUid(target, given, before);
  if (before === undefined) {
    if (target.subresource !== '' || !isCreatedByPut(target.kind)) throw notFound(target.kind, target.name);
    const { resourceVersion: _, ...metadata } = metadataOf(given);
    return answerWritten(201, create(world, target, { given: { ...given, metadata }, write }), all);
  }
  insistOnVersion(target, given);
  return answerWritten(200, update(world, target, { before, given, write }), all);
}

function answerWritten(status: number, { object, warned = [] }: Written, served: Served): ApiAnswer {
  return answerObject(status, object, { ...served, warnings: [...served.warnings, ...warned] });
}

function servePatch(served: Served): ApiAnswer {
  const { world, target, request } = served;
  const { object, isNew, warnings } = patch(world, target, request);
  return answerObject(isNew ? 201 : 200, object, { ...served, warnings: [...served.warnings, ...warnings] });
}

function serveDelete(served: Served): ApiAnswer {
  const { world, target, request, wanted } = served;
  const { object, isGone, warnings } = remove(world, target, deleteWish(request));
  const all = { ...served, warnings: [...served.warnings, ...warnings] };
  if (!isGone || answersWithObject(target.kind)) return answerObject(200, object, all);
  const { group, plural } = target.kind;
  const { uid = '' } = metadataOf(object);
  const details = { name: target.name, ...(group !== '' && { group }), kind: plural, uid };
  return answer(200, successOf(details), { wanted, warnings: all.warnings });
}

function servePart(served: Served): ApiAnswer {
  const { world, target, request, wanted, warnings } = served;
  switch (target.subresource) {
    case 'status':
      if (!target.kind.hasStatus) throw noPart(target);
      return serveStatus(served);
    case 'scale':
      if (target.kind.scale === undefined) throw noPart(target);
      return answer(200, scale(world, target, request), { wanted, warnings });
    case 'finalize':
      if (target.kind.kind !== 'Namespace' || request.method !== 'PUT') throw noResource();
      return servePut(served);
    case 'token':
      return answer(201, requestToken(world, target, request), { wanted, warnings });
    case 'binding':
      return answer(201, bind(world, target, request), { wanted, warnings });
    case 'log':
      return servePodLog(served);
    default:
      throw isPodPart(target) ? noProcess(target) : noResource();
  }
}

function servePodLog(served: Served): ApiAnswer {
  const { target } = served;
  if (!isPodPart(target)) throw noResource();
  const log = podLog(served);
  if (log === undefined) throw noProcess(target);
  return log;
}

/** A custom resource without a subresource answers as if the object were missing. */
function noPart({ kind, name }: Target): ApiProblem {
  return kind.custom ? notFound(kind, name) : noResource();
}

function serveStatus(served: Served): ApiAnswer {
  switch (served.request.method) {
    case 'GET':
      return serveGet(served);
    case 'PUT':
      return servePut(served);
    case 'PATCH':
      return servePatch(served);
    default:
      throw noMethod();
  }
}

function isPodPart({ kind, subresource }: Target): boolean {
  return kind.kind === 'Pod' && ['log', 'exec', 'attach', 'portforward', 'proxy', 'eviction'].includes(subresource);
}

function noProcess({ name, subresource }: Target): ApiProblem {
  return new ApiProblem(501, 'NotImplemented', {
    message: `there is no ${subresource} of pod "${name}": this Pod of the embedded API runs no process`,
  });
}
