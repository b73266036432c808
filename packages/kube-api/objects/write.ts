import { trackUpdate } from '../apply/track.ts';
import { convert } from '../builtin/events.ts';
import { ApiProblem, badRequest, conflict, invalid } from '../http/problem.ts';
import type { ServerContext } from '../http/request.ts';
import { timestamp } from '../http/request.ts';
import type { Target } from '../http/route.ts';
import type { User } from '../identity/user.ts';
import type { JsonObject } from '../json.ts';
import { judge } from '../policies/judge.ts';
import { apiVersionOf } from '../schema/kind.ts';
import { storageOf } from '../schema/kinds.ts';
import { insistOnAllocation } from '../store/allocate.ts';
import { insistOnAccount, insistOnLivingKind, insistOnLivingNamespace, insistOnNamespace, taken } from './admit.ts';
import { check, complete } from './conform.ts';
import {
  hasGeneration,
  isNewGeneration,
  isReleased,
  isSameObject,
  keepMetadata,
  metadataOf,
  withMetadata,
} from './metadata.ts';
import type { Place } from './place.ts';
import { keepOthers, withoutStatus } from './subresource.ts';

export interface Written {
  readonly object: JsonObject;
  readonly isNew: boolean;
  /** What admission policies warn of. */
  readonly warned?: readonly string[];
}

export interface Write {
  readonly manager: string;
  readonly dryRun: boolean;
  readonly user: User;
  /** Whether managedFields are settled already: it is a server-side apply. */
  readonly isTracked?: boolean;
}

export function placeOf({ kind, namespace, name }: Target): Place {
  return { resource: storageOf(kind), namespace, name };
}

/** The stored object in the version of the target; undefined if there is no such object. */
export function find({ store }: ServerContext, target: Target): JsonObject | undefined {
  const stored = store.get(placeOf(target));
  return stored === undefined ? undefined : convert(stored, target.kind);
}

interface Creation {
  readonly given: JsonObject;
  readonly write: Write;
}

/** A new object, decoded and with its defaults, but without what the server adds. */
export function create(world: ServerContext, target: Target, { given, write }: Creation): Written {
  const { kind, namespace } = target;
  insistOnNamespace(target, metadataOf(given)['namespace'] ?? '');
  insistOnLivingNamespace(world, target, String(metadataOf(given)['name'] ?? ''));
  insistOnLivingKind(world, kind, String(metadataOf(given)['name'] ?? ''));
  const { name = '', generateName = '', generation } = metadataOf(given);
  const named =
    name === '' && generateName !== '' ? `${String(generateName).slice(0, 58)}${suffix(world)}` : String(name);
  const now = timestamp(world.now());
  const own = withMetadata(given, {
    ...(named !== '' && { name: named }),
    namespace: namespace === '' ? undefined : namespace,
    uid: world.newUid(),
    creationTimestamp: now,
    generation: hasGeneration(kind) ? 1 : generation,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  });
  const tracked = write.isTracked
    ? own
    : track(world, { ...target, subresource: '' }, { before: undefined, after: own, write });
  insistOnAllocation(world, kind, { given: tracked, current: undefined });
  const next = complete(kind, withoutStatus(kind, tracked), { current: undefined, random: world.random });
  insistOnAccount(world, target, next);
  const causes = named === '' ? [nameless] : check(kind, next, { current: undefined, subresource: '' });
  if (causes.length > 0) throw invalid(kind, named, causes);
  if (!write.isTracked && metadataOf(given)['resourceVersion'] !== undefined) {
    throw new ApiProblem(500, '', { message: 'resourceVersion should not be set on objects to be created' });
  }
  const fresh = withMetadata(next, { resourceVersion: undefined });
  const { user, dryRun } = write;
  const warned = judge(world, { target, operation: 'CREATE', object: fresh, oldObject: undefined, user, dryRun });
  const place = placeOf({ ...target, name: named });
  const present = world.store.get(place);
  if (present !== undefined) throw taken(target, named, present);
  return { object: dryRun ? fresh : put(world, target, { place, object: fresh }), isNew: true, warned };
}

const nameless = {
  reason: 'FieldValueRequired',
  message: 'Required value: name or generateName is required',
  field: 'metadata.name',
};

/** Five characters from which no word can be made, as the server picks them. */
function suffix({ random }: ServerContext): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  return Array.from({ length: 5 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

/** The result of `given` for `before`, both in the version of the target; the same object if it changes nothing. */
export function update(world: ServerContext, target: Target, { before, given, write }: Update): Written {
  const { kind, name, subresource } = target;
  insistOnIdentity(target, given);
  const { resourceVersion = '' } = metadataOf(given);
  if (resourceVersion !== '' && resourceVersion !== metadataOf(before)['resourceVersion']) {
    throw conflict(
      kind,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
  const kept = keepMetadata(before, given);
  const tracked = write.isTracked ? kept : track(world, target, { before, after: kept, write });
  const own = keepOthers(kind, subresource, { before, after: tracked });
  if (subresource === '') insistOnAllocation(world, kind, { given: own, current: before });
  const next = subresource === 'finalize' ? own : complete(kind, own, { current: before, random: world.random });
  const { generation } = metadataOf(before);
  // The status of a Deployment may change annotations, which otherwise increase its generation.
  const isCounted = subresource !== 'status' && isNewGeneration(kind, before, next);
  const counted = isCounted ? withMetadata(next, { generation: Number(generation ?? 0) + 1 }) : next;
  const causes = check(kind, counted, { current: before, subresource: subresource === 'status' ? 'status' : '' });
  if (causes.length > 0) throw invalid(kind, name, causes);
  const { user, dryRun } = write;
  const warned = judge(world, { target, operation: 'UPDATE', object: counted, oldObject: before, user, dryRun });
  return { object: stored(world, target, { before, counted, dryRun }), isNew: false, warned };
}

interface Storing {
  readonly before: JsonObject;
  readonly counted: JsonObject;
  readonly dryRun: boolean;
}

function stored(world: ServerContext, target: Target, { before, counted, dryRun }: Storing): JsonObject {
  if (isSameObject(before, counted)) return before;
  if (dryRun) return counted;
  const place = placeOf(target);
  if (!isReleased(counted)) return put(world, target, { place, object: counted });
  // The last finalizer is gone: this version is never seen, the object goes without it being stored.
  world.store.remove(place);
  return counted;
}

export interface Update {
  readonly before: JsonObject;
  readonly given: JsonObject;
  readonly write: Write;
}

function insistOnIdentity(target: Target, given: JsonObject): void {
  const { name = '', namespace = '' } = metadataOf(given);
  if (name === '') {
    throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`);
  }
  if (name !== target.name) {
    throw badRequest(`the name of the object (${String(name)}) does not match the name on the URL (${target.name})`);
  }
  insistOnNamespace(target, namespace);
}

interface Tracked {
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
  readonly write: Write;
}

function track(world: ServerContext, { kind, subresource }: Target, { before, after, write }: Tracked): JsonObject {
  return trackUpdate({ kind, before, after, manager: write.manager, subresource, now: world.now() });
}

/** Stores an object in its storage version and returns it in that of the target. */
export function put(
  world: ServerContext,
  { kind }: Target,
  { place, object }: { place: Place; object: JsonObject },
): JsonObject {
  const storage = world.kinds.find({ ...kind, version: kind.storageVersion }) ?? kind;
  const stored = apiVersionOf(storage) === apiVersionOf(kind) ? object : convert(object, storage);
  return convert(world.store.put(place, stored), kind);
}
