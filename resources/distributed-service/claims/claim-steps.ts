import { deletion, isLeaving } from '../../../packages/controller/decide/children.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Observed, Write } from '../../../packages/controller/domain/plan.ts';
import { secondsOf } from '../../../packages/controller/domain/time.ts';
import { labels } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { isGone, isLost, isNotNext, mostHolders, rivalOf } from './claim-holders.ts';
import {
  type ClaimPlace,
  changed,
  claimInputs,
  claimOf,
  entryOf,
  heldClaim,
  waitingClaim,
  withoutService,
} from './claim-objects.ts';
import { byName, holds, type OwnClaims, waitsFor } from './claim-queries.ts';
import { holderByLabel } from './label-claims.ts';
import type { Claim } from './types.ts';
import { pathsOf, tellWant, type Want } from './wants.ts';

/** The seconds for which a Claim that a service has released is kept for its namespace. */
const grace = 60;

/** The Claims that were found, and everything else that the decision about them needs. */
export interface Scene {
  readonly owner: DistributedService;
  readonly place: ClaimPlace;
  readonly home: string;
  readonly found: Observed['inputs'];
  readonly own: OwnClaims;
  /** All that the service wants, in the order in which it claims them. */
  readonly wants: readonly Want[];
  readonly now: string;
  readonly byResync: boolean;
}

/** Something that a service wants, and its Claim. */
export interface Wanted {
  readonly want: Want;
  readonly ref: ObjectRef;
}

/** The decision about one host or port that a service wants. */
export type Step = { readonly is: 'held' } | Taken | Waits;

interface WithWrites {
  readonly writes: readonly Write[];
}

interface Taken extends WithWrites {
  readonly is: 'taken';
  /** The service decides about the next one only after these writes. */
  readonly first?: true;
}

interface Waits extends WithWrites {
  readonly is: 'waiting';
  readonly conflict: string;
  readonly waitsFor: string;
}

/** Claims one host or port if it is free or may be shared, else waits for its holder. */
export function takeOne({ want, ref }: Wanted, scene: Scene): Step {
  const { owner, place, own, found, now } = scene;
  const mine = byName(own.held, ref);
  const rival = rivalOf(want, scene);
  if (rival !== undefined) {
    // The rival's holders have released it or were deleted, so its Claim is removed.
    if (isFree(rival, now) || isLost(rival, scene.wants, scene))
      return { is: 'taken', first: true, writes: [deletion(rival, 'Background')] };
    // It is not published yet, so this service withdraws when it sees the other Claim: both never publish it.
    const back = mine === undefined ? [] : [withoutService(claimOf(mine), owner, { place })];
    const step = wait(scene, { target: rival, want: rival.spec, heldBy: elsewhere });
    return { ...step, writes: [...back, ...pruned(rival, scene), ...step.writes] };
  }
  const known = mine ?? byName(own.released, ref) ?? byName(found.get(claimInputs.taken) ?? [], ref);
  if (holds(owner, want, known)) return { is: 'held' };
  const waiter = found.has(claimInputs.taken) ? undefined : waitsFor(want, own.waiting);
  if (waiter !== undefined) return stay(claimOf(waiter));
  if (known === undefined) {
    const elder = holderByLabel(owner, want, scene);
    if (elder !== undefined) return wait(scene, { target: ref, want, heldBy: heldBy(elder.metadata, owner) });
    const services = [entryOf(owner, want)];
    const { namespace = '' } = owner.metadata;
    const object = heldClaim({ want, namespace, services, state: 'Held', since: now }, place);
    return { is: 'taken', writes: [{ do: 'create', object, mayExist: true }] };
  }
  return join(claimOf(known), want, scene);
}

/** Decides about a Claim that exists: shares it in its own namespace, frees it if its holders are gone, or waits. */
function join(claim: Claim, want: Want, scene: Scene): Step {
  const { owner, place, now } = scene;
  const { spec } = claim;
  const target = refOf(claim);
  if (isLeaving(claim)) return wait(scene, { target, want, heldBy: elsewhere });
  const living = spec.services.filter(({ uid }) => uid !== owner.metadata.uid && !isGone(uid, claim, scene));
  if (spec.namespace !== owner.metadata.namespace) {
    const step = wait(scene, { target, want, heldBy: elsewhere });
    if (!isFree(claim, now) && living.length > 0) return { ...step, writes: [...pruned(claim, scene), ...step.writes] };
    const freeing = deletion(claim, 'Background');
    // Deleting the Claim wakes the services that have waited longer first, and this one after them.
    if (isNotNext(claim, scene)) return { ...step, writes: [...step.writes, freeing] };
    return { is: 'taken', writes: [freeing] };
  }
  const others = spec.state === 'Held' ? living : [];
  const sharedWith = ({ locations }: (typeof others)[number]): string | undefined =>
    pathsOf(locations).find((path) => want.locations.includes(path));
  const clash = others.find((other) => sharedWith(other) !== undefined);
  if (clash !== undefined) {
    const path = sharedWith(clash) ?? '';
    const told = `DistributedService ${clash.name}${path === '' ? '' : ` with path ${path}`}`;
    return wait(scene, { target, want, heldBy: told });
  }
  const since = spec.state === 'Held' ? spec.since : now;
  const services = [...others, entryOf(owner, want)];
  const { namespace } = spec;
  return { is: 'taken', writes: [changed(claim, { want, namespace, services, state: 'Held', since }, place)] };
}

function isFree({ spec }: Claim, now: string): boolean {
  return spec.state === 'Released' && isGraceOver(spec.since, now);
}

/** Only the first holders are read. Removes those that no longer exist, so that the next reconcile reads the rest. */
function pruned(claim: Claim, scene: Scene): readonly Write[] {
  const { spec } = claim;
  const services = spec.services.filter(({ uid }) => !isGone(uid, claim, scene));
  if (spec.services.length <= mostHolders || services.length === spec.services.length) return [];
  const { namespace, state, since } = spec;
  return [changed(claim, { want: spec, namespace, services, state, since }, scene.place)];
}

/** Stands for a holder in another namespace, whose name the status does not show. */
const elsewhere = 'another namespace';

function heldBy({ namespace, name }: KubeObject['metadata'], { metadata }: DistributedService): string {
  return namespace === metadata.namespace ? `DistributedService ${name}` : elsewhere;
}

interface Rival {
  readonly target: ObjectRef | Claim;
  readonly want: Pick<Want, 'kind' | 'value'>;
  readonly heldBy: string;
}

/** Waits for a Claim. The waiting Claim keeps who the holder is, so that a later pass repeats the sentence without reading the holder. */
function wait({ owner, place, own, now }: Scene, { target, want, heldBy: by }: Rival): Waits {
  const ref = 'metadata' in target ? refOf(target) : target;
  const live = own.waiting.find(({ metadata }) => metadata.labels?.[labels.claim] === ref.name);
  const since = live === undefined ? now : claimOf(live).spec.since;
  const object = waitingClaim(owner, { target: ref, want, since, heldBy: by }, place);
  const told = { is: 'waiting', conflict: sentenceOf(object as Claim), waitsFor: ref.name } as const;
  if (live === undefined) return { ...told, writes: [{ do: 'create', object, mayExist: true }] };
  if (claimOf(live).spec.heldBy === by) return { ...told, writes: [] };
  return { ...told, writes: [{ do: 'apply', object, live }] };
}

function stay(waiter: Claim): Waits {
  const target = waiter.metadata.labels?.[labels.claim] ?? '';
  return { is: 'waiting', conflict: sentenceOf(waiter), waitsFor: target, writes: [] };
}

function sentenceOf({ spec }: Claim): string {
  return `the ${tellWant(spec)} of the FRP server belongs to ${spec.heldBy ?? elsewhere}: choose another, or wait until it is given up`;
}

/** Whether other namespaces may take a Claim that was released at this time. */
export function isGraceOver(since: string, now: string): boolean {
  return secondsOf(now) - secondsOf(since) >= grace;
}
