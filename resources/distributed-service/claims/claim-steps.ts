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
import { tellWant, type Want } from './wants.ts';

/** Seconds for which what a service wants no more is kept for its namespace. */
const grace = 60;

/** What was found of claims, and what they are decided with. */
export interface Scene {
  readonly owner: DistributedService;
  readonly place: ClaimPlace;
  readonly home: string;
  readonly found: Observed['inputs'];
  readonly own: OwnClaims;
  /** All that the service wants, in the order in which it is taken. */
  readonly wants: readonly Want[];
  readonly now: string;
  readonly byResync: boolean;
}

/** Something that a service wants, and its Claim. */
export interface Wanted {
  readonly want: Want;
  readonly ref: ObjectRef;
}

/** What to do about one thing that a service wants. */
export type Step = { readonly is: 'held' } | Taken | Waits;

interface WithWrites {
  readonly writes: readonly Write[];
}

interface Taken extends WithWrites {
  readonly is: 'taken';
  /** Nothing else is decided before these stand. */
  readonly first?: true;
}

interface Waits extends WithWrites {
  readonly is: 'waiting';
  readonly conflict: string;
  readonly waitsFor: string;
}

/** What nobody has is taken; what another has is waited for. */
export function takeOne({ want, ref }: Wanted, scene: Scene): Step {
  const { owner, place, own, found, now } = scene;
  const mine = byName(own.held, ref);
  const rival = rivalOf(want, scene);
  if (rival !== undefined) {
    // What nobody holds any more keeps nobody from anything.
    if (isFree(rival, now) || isLost(rival, scene.wants, scene))
      return { is: 'taken', first: true, writes: [deletion(rival, 'Background')] };
    // Published it has not been: who sees the other steps back, so that never both have it.
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

/** What to do about a Claim that is there. */
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
    // Who has waited longer is woken by that, and this service after those.
    if (isNotNext(claim, scene)) return { ...step, writes: [...step.writes, freeing] };
    return { is: 'taken', writes: [freeing] };
  }
  const others = spec.state === 'Held' ? living : [];
  const clash = others.find(({ locations }) => locations.some((path) => want.locations.includes(path)));
  if (clash !== undefined) {
    const path = clash.locations.find((one) => want.locations.includes(one)) ?? '';
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

/** Of more holders than are looked at those who are gone make room, so that the next are looked at the next time. */
function pruned(claim: Claim, scene: Scene): readonly Write[] {
  const { spec } = claim;
  const services = spec.services.filter(({ uid }) => !isGone(uid, claim, scene));
  if (spec.services.length <= mostHolders || services.length === spec.services.length) return [];
  const { namespace, state, since } = spec;
  return [changed(claim, { want: spec, namespace, services, state, since }, scene.place)];
}

/** A holder in another namespace is not named. */
const elsewhere = 'another namespace';

function heldBy({ namespace, name }: KubeObject['metadata'], { metadata }: DistributedService): string {
  return namespace === metadata.namespace ? `DistributedService ${name}` : elsewhere;
}

interface Rival {
  readonly target: ObjectRef | Claim;
  readonly want: Pick<Want, 'kind' | 'value'>;
  readonly heldBy: string;
}

/** What is said stands in the object that says it waits, so that it is said again where nobody looks at the claim. */
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

/** Whether what was let go may be taken by others. */
export function isGraceOver(since: string, now: string): boolean {
  return secondsOf(now) - secondsOf(since) >= grace;
}
