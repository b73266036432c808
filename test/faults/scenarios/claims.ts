import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { shortHash } from '../../../packages/controller/domain/names.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import { claimPrefix } from '../../../resources/distributed-service/names.ts';
import type { DistributedServiceSpec } from '../../../resources/distributed-service/types.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

type Spec = Partial<DistributedServiceSpec>;

const byPort: Spec = { expose: { remotePort: 7001 } };
const byDomain: Spec = { serviceType: 'http', expose: { domains: ['shop.example.com'] } };
const byPath: Spec = { serviceType: 'http', expose: { domains: ['shop.example.com'], locations: ['/a'] } };
const otherPath: Spec = { serviceType: 'http', expose: { domains: ['shop.example.com'], locations: ['/b'] } };
const otherDomain: Spec = { serviceType: 'http', expose: { domains: ['other.example.com'] } };
const otherPort: Spec = { expose: { remotePort: 7002 } };

/** `web` runs first, so that it holds what it wants; there are backends for both. */
const first = (place: Place, spec: Spec = byPort): readonly KubeObject[] => [
  ...cast.running(place, spec),
  cast.backend(place, 'web2-1', 'web2'),
];
const second = (place: Place, spec: Spec = byPort): KubeObject => cast.web(place, spec, { name: 'web2' });

const change =
  (name: string, spec: Spec) =>
  async (user: User, place: Place): Promise<void> => {
    if ((await user.get(cast.webRef(place, name))) === undefined) return;
    await user.patch(cast.webRef(place, name), { spec });
  };

/** The second comes when the first has what it wants. */
const coming =
  (spec: Spec = byPort) =>
  async (user: User, place: Place): Promise<void> => {
    await user.rest();
    await user.create(second(place, spec));
    await user.rest();
  };

interface Claiming extends KubeObject {
  readonly spec?: { readonly state?: string; readonly namespace?: string };
}

/** The Claims that services of this place hold. */
async function heldBy(user: User, { namespace }: Place): Promise<readonly KubeObject[]> {
  const all: readonly Claiming[] = await user.list({ apiVersion: 'frp.io/v1beta1', kind: 'Claim' });
  return all.filter(({ spec }) => spec?.state === 'Held' && spec.namespace === namespace);
}

function aboutBoth(row: Omit<Scenario, 'parents'>): Scenario {
  return { ...row, parents: (place) => [cast.webRef(place), cast.webRef(place, 'web2')] };
}

/** Two services want the same port or domain of one server: the first has it, and the other when that one lets go. */
export const claims: readonly Scenario[] = [
  aboutBoth({
    name: 'claim-a-port-that-is-taken',
    given: (place) => first(place),
    when: async (user, place) => void (await user.create(second(place))),
  }),
  aboutBoth({
    name: 'claim-a-domain-that-is-taken',
    given: (place) => first(place, byDomain),
    when: async (user, place) => void (await user.create(second(place, byDomain))),
  }),
  aboutBoth({
    name: 'claim-a-path-of-the-same-domain',
    given: (place) => first(place, byDomain),
    when: async (user, place) => void (await user.create(second(place, byPath))),
  }),
  aboutBoth({
    name: 'claim-what-another-holds',
    given: (place) => first(place),
    before: coming(otherPort),
    when: change('web', otherPort),
  }),
  aboutBoth({
    name: 'claim-let-go-by-deletion',
    given: (place) => first(place),
    before: coming(),
    when: (user, place) => user.delete(cast.webRef(place)),
  }),
  aboutBoth({
    name: 'claim-let-go-by-another-spec',
    given: (place) => first(place, byDomain),
    before: coming(byDomain),
    when: async (user, place) => {
      await change('web', otherDomain)(user, place);
      await user.rest();
      // The minute is over, which no event reports.
      await user.resync();
    },
  }),
  aboutBoth({
    name: 'claim-waited-for-no-more',
    given: (place) => first(place),
    before: coming(),
    when: change('web2', otherPort),
  }),
  aboutBoth({
    name: 'claim-path-waited-for-no-more',
    given: (place) => first(place, byPath),
    before: coming(byPath),
    when: change('web2', otherPath),
  }),
  aboutBoth({
    name: 'claim-let-go-and-taken-back',
    given: (place) => first(place),
    before: coming(),
    when: async (user, place) => {
      await change('web', otherPort)(user, place);
      await user.rest();
      await change('web', byPort)(user, place);
    },
  }),
  aboutBoth({
    name: 'claim-taken-away-by-hand',
    given: (place) => first(place),
    before: coming(),
    when: async (user, place) => {
      for (const claim of await heldBy(user, place)) await user.delete(refOf(claim));
    },
  }),
  aboutBoth({
    name: 'claim-held-by-nobody-who-lives',
    given: (place) => first(place),
    before: coming(),
    when: async (user, place) => {
      if ((await user.get(cast.webRef(place))) === undefined) return;
      await user.patch(cast.webRef(place), { metadata: { finalizers: null } });
      await user.delete(cast.webRef(place));
      await user.rest();
      await user.resync();
    },
  }),
  aboutBoth({
    name: 'claim-held-by-a-label-of-before',
    given: (place) => first(place),
    // As a version before has left it: a label, and no Claim. The service that comes first finds the one or the other.
    when: async (user, place) => {
      await user.rest();
      for (const claim of await heldBy(user, place)) await user.delete(refOf(claim));
      const key = `${claimPrefix}${shortHash(`${place.namespace}/default tcp port 7001`)}`;
      await user.patch(cast.childRef(place, 'balanced'), { metadata: { labels: { [key]: 'held' } } });
      await user.create(second(place));
    },
  }),
];
