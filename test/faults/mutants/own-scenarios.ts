import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from '../scenarios/cast.ts';

/** More than fit on one page of the resync. */
const many = Array.from({ length: 104 }, (_, index) => `many-${index}`);
/** More than fit on two. */
const more = Array.from({ length: 204 }, (_, index) => `more-${index}`);
const held = { finalizers: ['example.com/hold'] };
/** Too long for the name of a child, and the same up to where one would be cut. */
const long = [`${'long-name-'.repeat(6)}one`, `${'long-name-'.repeat(6)}two`];

interface Podded {
  readonly template: { readonly spec: { readonly containers: readonly object[] } };
}

/** What only the hunt needs: too slow or too odd for the table of scenarios. */
export const ownScenarios: readonly Scenario[] = [
  {
    name: 'resync-of-many',
    given: () => [],
    when: async (user, place) => {
      for (const name of many) await user.create(cast.hello(place, 'hello', { name }));
      await user.resync();
    },
    parents: (place) => many.map((name) => cast.helloRef(place, name)),
  },
  {
    name: 'resync-of-more',
    given: (place) => more.map((name) => cast.hello(place, 'hello', { name })),
    when: async (user) => {
      // Each begins with another kind: where lists are slow, that decides what is left when time is up.
      await user.resync();
      await user.resync();
    },
    parents: (place) => more.map((name) => cast.helloRef(place, name)),
  },
  {
    name: 'several-long-names',
    given: () => [],
    when: async (user, place) => {
      for (const name of long) await user.create(cast.hello(place, `hello ${name}`, { name }));
    },
    parents: (place) => long.map((name) => cast.helloRef(place, name)),
  },
  cast.aboutWeb({
    name: 'drift-tunnel-sidecar',
    given: cast.running,
    when: async (user, place) => {
      const ref = cast.childRef(place, 'tunnel');
      const live: (KubeObject & { readonly spec?: Podded }) | undefined = await user.get(ref);
      const containers = [
        ...(live?.spec?.template.spec.containers ?? []),
        { name: 'mesh-proxy', image: 'example.com/proxy' },
      ];
      await user.patch(ref, { spec: { template: { spec: { containers } } } });
    },
  }),
  cast.aboutWeb({
    name: 'create-held',
    given: (place) => [cast.profile(place), cast.backend(place)],
    when: async (user, place) => void (await user.create(cast.web(place, {}, held))),
  }),
  cast.aboutWeb({
    name: 'create-beside-namesake',
    given: (place) => [cast.profile(place), cast.backend(place), squatter(place, 'frp-web-backends')],
    when: async (user, place) => void (await user.create(cast.web(place))),
  }),
  cast.aboutWeb({
    name: 'delete-with-squatter',
    given: (place): readonly KubeObject[] => [squatter(place, 'frp-web-balanced'), ...cast.running(place)],
    when: (user, place) => user.delete(cast.webRef(place)),
  }),
  cast.aboutHello({
    name: 'message-rejected-for-a-minute',
    given: () => [],
    when: async (user, place) => {
      await user.create(cast.hello(place));
      await user.rest();
      await user.resync();
    },
    rival: ({ type, object, ms }) =>
      type === 'ADDED' && object.kind === 'Pod' && ms < 60_000 ? { status: { phase: 'Failed' } } : undefined,
  }),
];

function squatter(place: Place, name: string): KubeObject {
  const { metadata, ...service }: KubeObject = cast.plainService(place, name);
  return { ...service, metadata: { ...metadata, labels: { app: 'of-somebody-else' } } };
}
