import { apply } from '../apply/apply.ts';
import { scaleKind } from '../apply/scale.ts';
import { parseBody } from '../http/body.ts';
import { writeOptions } from '../http/options.ts';
import { ApiProblem, badRequest, invalid, notFound } from '../http/problem.ts';
import type { ApiRequest, ServerContext } from '../http/request.ts';
import type { Target } from '../http/route.ts';
import { noMethod } from '../http/route.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { metadataOf } from './metadata.ts';
import { badPatch, changed, goText, parseApplied, patchType } from './patch.ts';
import type { Write } from './write.ts';
import { find, update } from './write.ts';

/** GET, PUT and PATCH of the subresource `scale`: returns the Scale afterwards. */
export function scale(world: ServerContext, target: Target, request: ApiRequest): JsonObject {
  const { kind, name } = target;
  const before = find(world, target);
  if (before === undefined) throw notFound(kind, name);
  switch (request.method) {
    case 'GET':
      return scaleOf(kind, before);
    case 'PUT': {
      const wanted = parseScale(request);
      return written(world, target, { before, wanted, write: writeOptions('Update', request) });
    }
    case 'PATCH':
      return patchScale(world, target, { before, request });
    default:
      throw noMethod();
  }
}

function patchScale(
  world: ServerContext,
  target: Target,
  { before, request }: { before: JsonObject; request: ApiRequest },
): JsonObject {
  const { kind, subresource } = target;
  const type = patchType(request, false);
  const write = writeOptions('Patch', request, type === 'apply');
  if (type === 'apply') {
    const applied = parseApplied(request.body);
    const { manager, force } = write;
    const given = apply({ kind, live: before, applied, manager, force, subresource, now: world.now() });
    return scaleOf(kind, update(world, target, { before, given, write: { ...write, isTracked: true } }).object);
  }
  const live = scaleOf(kind, before, true);
  const wanted = changed({ ...target, kind: scaleKind }, live, { type, body: request.body });
  const { replicas = 0 } = objectAt(wanted, 'spec');
  if (typeof replicas !== 'number') throw badPatch(goText(wanted), unfit(replicas));
  return written(world, target, { before, wanted, write });
}

function parseScale(request: ApiRequest): JsonObject {
  const body = parseBody(request, 'Scale');
  if (body['kind'] !== 'Scale' && body['kind'] !== undefined) {
    throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
  }
  const { replicas = 0 } = objectAt(body, 'spec');
  if (typeof replicas === 'number') return body;
  throw badRequest(`Scale in version "v1" cannot be handled as a Scale: ${unfit(replicas)}`);
}

function unfit(replicas: Json): string {
  return `json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`;
}

interface Wanted {
  readonly before: JsonObject;
  readonly wanted: JsonObject;
  readonly write: Write;
}

function written(world: ServerContext, target: Target, { before, wanted, write }: Wanted): JsonObject {
  const { kind, name } = target;
  const { replicas = 0 } = objectAt(wanted, 'spec');
  insistOnReplicas(kind, name, replicas);
  const { resourceVersion = '', uid = '' } = metadataOf(wanted);
  const given = withValue(before, steps(kind.scale?.spec ?? ''), replicas);
  const metadata = { ...metadataOf(before), resourceVersion, ...(uid !== '' && { uid }) };
  return scaleOf(kind, update(world, target, { before, given: { ...given, metadata }, write }).object);
}

/** autoscaling/v1 Scale; throws 500 if a custom resource has no replicas field. */
function scaleOf(kind: Kind, object: JsonObject, isForPatch = false): JsonObject {
  const paths = kind.scale ?? { spec: '', status: '' };
  const replicas = valueAt(object, steps(paths.spec));
  if (kind.custom && typeof replicas !== 'number' && !isForPatch) throw noReplicas(paths.spec);
  const { name = '', namespace = '', uid = '', resourceVersion = '', creationTimestamp = null } = metadataOf(object);
  const selector = selectorText(kind, object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace !== '' && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: { replicas: valueAt(object, steps(paths.status)) ?? 0, ...(selector !== '' && { selector }) },
  };
}

function noReplicas(path: string): ApiProblem {
  const message = `the spec replicas field "${path}" does not exist`;
  return new ApiProblem(500, 'InternalError', {
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
}

function insistOnReplicas(kind: Kind, name: string, replicas: Json): void {
  if (typeof replicas === 'number' && replicas >= 0) return;
  const value = `Invalid value: ${JSON.stringify(replicas)}`;
  const reason = 'FieldValueInvalid';
  if (kind.custom) {
    const field = kind.scale?.spec ?? '';
    throw invalid(kind, name, [{ reason, message: `${value}: should be a non-negative integer`, field }]);
  }
  throw invalid({ group: 'autoscaling', kind: 'Scale', plural: 'scales' }, name, [
    { reason, message: `${value}: must be greater than or equal to 0`, field: 'spec.replicas' },
  ]);
}

/** A custom resource has its selector as text, a built-in kind as labels. */
function selectorText(kind: Kind, object: JsonObject): string {
  if (kind.custom) {
    const selector = valueAt(object, steps(kind.scale?.selector ?? ''));
    return typeof selector === 'string' ? selector : '';
  }
  const labels = objectAt(object, 'spec', 'selector', 'matchLabels');
  return Object.keys(labels)
    .sort()
    .map((key) => `${key}=${String(labels[key])}`)
    .join(',');
}

function steps(path: string): readonly string[] {
  return path.split('.').filter((step) => step !== '');
}

function valueAt(object: JsonObject, path: readonly string[]): Json | undefined {
  const [last = '', ...rest] = [...path].reverse();
  const holder = objectAt(object, ...rest.reverse());
  return Object.hasOwn(holder, last) ? holder[last] : undefined;
}

function withValue(object: JsonObject, [step, ...rest]: readonly string[], value: Json): JsonObject {
  if (step === undefined) return object;
  const inner = Object.hasOwn(object, step) ? object[step] : undefined;
  return { ...object, [step]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
}
