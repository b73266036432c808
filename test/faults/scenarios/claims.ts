import type { DistributedServiceSpec } from '../../../src/domain/distributed-service.ts';
import type { KubeObject } from '../../../src/domain/kube-object.ts';
import type { Place, Scenario, User } from '../scenario.ts';
import * as cast from './cast.ts';

type Spec = Partial<DistributedServiceSpec>;

const byPort: Spec = { expose: { remotePort: 7001 } };
const byDomain: Spec = { serviceType: 'http', expose: { domains: ['shop.example.com'] } };
const otherDomain: Spec = { serviceType: 'http', expose: { domains: ['other.example.com'] } };
const otherPort: Spec = { expose: { remotePort: 7002 } };

/** The older one is `web`, made first and, within a second, first by name; there are backends for both. */
const older = (place: Place, spec: Spec = byPort): readonly KubeObject[] => [
  ...cast.running(place, spec),
  cast.backend(place, 'web2-1', 'web2'),
];
const younger = (place: Place, spec: Spec = byPort): KubeObject => cast.web(place, spec, { name: 'web2' });

const both =
  (mine: Spec = byPort, theirs: Spec = mine) =>
  (place: Place): readonly KubeObject[] => [...older(place, mine), younger(place, theirs)];

const change =
  (name: string, spec: Spec) =>
  async (user: User, place: Place): Promise<void> =>
    void (await user.patch(cast.webRef(place, name), { spec }));

function aboutBoth(row: Omit<Scenario, 'parents'>): Scenario {
  return { ...row, parents: (place) => [cast.webRef(place), cast.webRef(place, 'web2')] };
}

/** Two services want the same port or domain of one server: the older has it, and the other when that one lets go. */
export const claims: readonly Scenario[] = [
  aboutBoth({
    name: 'claim-a-port-that-is-taken',
    given: (place) => older(place),
    when: async (user, place) => void (await user.create(younger(place))),
  }),
  aboutBoth({
    name: 'claim-a-domain-that-is-taken',
    given: (place) => older(place, byDomain),
    when: async (user, place) => void (await user.create(younger(place, byDomain))),
  }),
  aboutBoth({
    name: 'claim-at-the-same-time',
    given: (place) => [cast.profile(place), cast.backend(place), cast.backend(place, 'web2-1', 'web2')],
    when: async (user, place) => {
      await user.create(cast.web(place));
      await user.create(younger(place));
    },
  }),
  aboutBoth({
    name: 'claim-of-a-younger-one',
    given: both(byPort, otherPort),
    when: change('web', otherPort),
  }),
  aboutBoth({
    name: 'claim-let-go-by-deletion',
    given: both(),
    when: (user, place) => user.delete(cast.webRef(place)),
  }),
  aboutBoth({
    name: 'claim-let-go-by-the-older',
    given: both(byDomain),
    when: change('web', otherDomain),
  }),
  aboutBoth({
    name: 'claim-let-go-by-the-younger',
    given: both(),
    when: change('web2', otherPort),
  }),
  aboutBoth({
    name: 'claim-handed-over-and-back',
    given: both(),
    when: async (user, place) => {
      await change('web', otherPort)(user, place);
      await change('web', byPort)(user, place);
    },
  }),
  aboutBoth({
    name: 'claim-label-forged',
    given: both(byPort, otherPort),
    when: async (user, place) => {
      const live = await user.get(cast.childRef(place, 'balanced'));
      await user.create(cast.plainService(place, 'forged', live?.metadata.labels));
      await change('web', { expose: { remotePort: 7003 } })(user, place);
      await change('web2', byPort)(user, place);
    },
  }),
  aboutBoth({
    name: 'claim-label-taken-off',
    given: both(),
    when: async (user, place) => {
      const ref = cast.childRef(place, 'balanced');
      const keys = Object.keys((await user.get(ref))?.metadata.labels ?? {}).filter((key) => key.startsWith('claim.'));
      await user.patch(ref, { metadata: { labels: Object.fromEntries(keys.map((key) => [key, null])) } });
    },
  }),
];
