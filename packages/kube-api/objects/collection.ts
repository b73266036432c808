import { convert } from '../builtin/events.ts';
import { answer, warningHeader } from '../http/answer.ts';
import { deleteWish, writeOptions } from '../http/options.ts';
import { presentList } from '../http/present.ts';
import type { ApiAnswer } from '../http/request.ts';
import { noMethod } from '../http/route.ts';
import type { Served } from '../http/served.ts';
import { answerObject, decodeBody, presentationOf } from '../http/served.ts';
import { isTrue, startWatch } from '../http/watch.ts';
import { answerReview } from '../identity/reviews.ts';
import type { JsonObject } from '../json.ts';
import { storageOf } from '../schema/kinds.ts';
import { remove } from './delete.ts';
import { listPage, selectorOf } from './list.ts';
import { metadataOf } from './metadata.ts';
import { create } from './write.ts';

/** Answers a request for all objects of a kind: list, watch, create, delete. */
export function serveAll(served: Served): ApiAnswer {
  const { target, request } = served;
  const isEverywhere = target.kind.namespaced && target.namespace === '';
  if (target.kind.isReview === true && request.method !== 'POST') throw noMethod();
  switch (request.method) {
    case 'GET':
      return target.watch || isTrue(request.query.get('watch')) ? serveWatch(served) : serveList(served);
    case 'POST':
      if (isEverywhere) throw noMethod();
      return servePost(served);
    case 'DELETE':
      if (isEverywhere || target.kind.kind === 'Namespace') throw noMethod();
      return deleteAll(served);
    default:
      throw noMethod();
  }
}

function whereOf({ target, request }: Served) {
  const { kind, namespace } = target;
  return {
    resource: storageOf(kind),
    namespace,
    serve: (object: JsonObject) => convert(object, kind),
    isSelected: selectorOf(request.query, kind),
  };
}

function serveList(served: Served): ApiAnswer {
  const { world, request, wanted, warnings } = served;
  const { items, metadata } = listPage(world.store, request.query, whereOf(served));
  return answer(200, presentList(items, metadata, presentationOf(served)), { wanted, warnings });
}

/** Every change from the place that the query names. */
export function serveWatch(served: Served): ApiAnswer {
  const { world, request, warnings } = served;
  const watch = startWatch(world, request.query, { ...whereOf(served), presentation: presentationOf(served) });
  return { headers: { 'content-type': 'application/json', ...warningHeader(warnings) }, watch };
}

function servePost(served: Served): ApiAnswer {
  const { world, target, request } = served;
  const options = writeOptions('Create', request);
  const { object: given, warnings } = decodeBody(served, options);
  const all = { ...served, warnings: [...served.warnings, ...warnings] };
  if (target.kind.isReview === true) {
    const review = answerReview(world, target.kind, { object: given, namespace: target.namespace, write: options });
    return answerObject(201, review, all);
  }
  const { object, warned = [] } = create(world, target, { given, write: options });
  return answerObject(201, object, { ...all, warnings: [...all.warnings, ...warned] });
}

/** Deletes each selected object, as it was when it was found. */
function deleteAll(served: Served): ApiAnswer {
  const { world, target, request, wanted, warnings } = served;
  const wish = deleteWish(request);
  const { items, metadata } = listPage(world.store, request.query, whereOf(served));
  for (const item of items) remove(world, { ...target, name: String(metadataOf(item)['name']) }, wish);
  return answer(200, presentList(items, metadata, presentationOf(served)), { wanted, warnings });
}
