import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { hashOf } from '../../../packages/controller/react/hash.ts';
import { heldClaim } from '../../../resources/distributed-service/claims/claim-objects.ts';
import type { DistributedServiceSpec } from '../../../resources/distributed-service/types.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';
import { shared, sharedName } from './profiles.ts';

type Expose = NonNullable<DistributedServiceSpec['expose']>;

const host: Expose = { domains: ['shop.example.com'] };
const wildcard: Expose = { domains: ['*.example.com'] };
const path: Expose = { ...host, locations: ['/a'] };

/** The other namespace that a run has. */
const elsewhere = (place: Place): Place => ({ ...place, namespace: place.controller });

const service = (place: Place, expose: Expose): KubeObject =>
  cast.web(place, { serviceType: 'http', serverProfile: sharedName(place), expose });
const other = (place: Place, expose: Expose): KubeObject =>
  cast.web(elsewhere(place), { serviceType: 'http', serverProfile: sharedName(place), expose }, { name: 'web2' });

function between(row: Omit<Scenario, 'parents'>): Scenario {
  return { ...row, parents: (place) => [cast.webRef(place), cast.webRef(elsewhere(place), 'web2')] };
}

const given = (place: Place): readonly KubeObject[] => [shared(place), cast.backend(place)];

/** The wildcard as somebody holds it who went without a word. */
function ofNobody(place: Place): KubeObject {
  const { controller } = place;
  const services = [{ uid: 'of-nobody', name: 'nobody', locations: [''] }];
  const holding = { state: 'Held', namespace: controller, services, since: '2026-01-01T00:00:00Z' } as const;
  const at = { server: `${controller}/${sharedName(place)}`, controllerNamespace: controller, hash: hashOf };
  return heldClaim({ want: { kind: 'Host', value: '*.example.com' }, ...holding }, at);
}

/** Services of two namespaces that want hosts of one server. */
export const claimsOfOthers: readonly Scenario[] = [
  between({
    name: 'claim-a-host-below-a-wildcard-elsewhere',
    given: (place) => [...given(place), other(place, wildcard)],
    when: async (user, place) => void (await user.create(service(place, host))),
  }),
  between({
    name: 'claim-a-path-of-a-host-elsewhere',
    given: (place) => [...given(place), other(place, host)],
    when: async (user, place) => void (await user.create(service(place, path))),
  }),
  cast.aboutWeb({
    name: 'claim-below-nobody-who-lives',
    given: (place) => [...given(place), ofNobody(place)],
    when: async (user, place) => {
      await user.create(service(place, host));
      await user.rest();
      await user.resync();
    },
  }),
];
