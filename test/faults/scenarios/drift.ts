import { fileNames } from '../../../resources/distributed-service/envoy/data-plane.ts';
import { type ChildRole, childRoles } from '../../../resources/distributed-service/names.ts';
import type { Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

type Change = Readonly<Record<string, unknown>>;

/** What somebody makes of each child. The identity cannot be changed: of it only the mark of what it should be. */
const changes: Readonly<Record<ChildRole, Change>> = {
  identity: { metadata: { annotations: { 'knudge.dev/spec-hash': 'mine' } } },
  tls: { data: cast.suppliedData('one') },
  config: { data: { [fileNames.frpc]: '{}' } },
  endpoints: { data: { [fileNames.endpoints]: '{}' } },
  backends: { spec: { selector: { app: 'other' } } },
  balanced: { spec: { ports: [{ name: 'tcp', port: 9999, targetPort: 9999, protocol: 'TCP' }] } },
  tunnel: { spec: { replicas: 3 } },
};

/** The ways in which somebody takes away what shows whose a child is. With both gone it is not Knudge's any more. */
const strippings: Readonly<Record<string, Change>> = {
  labels: { metadata: { labels: null } },
  owner: { metadata: { ownerReferences: null } },
};

/** Each child is changed, deleted, or robbed of its labels or its owner. */
export const drift: readonly Scenario[] = [
  ...(Object.keys(childRoles) as ChildRole[]).flatMap((role) => [
    cast.aboutWeb({
      name: `drift-${role}-changed`,
      given: cast.withEveryChild,
      when: async (user, place) => void (await user.patch(cast.childRef(place, role), changes[role])),
    }),
    cast.aboutWeb({
      name: `drift-${role}-deleted`,
      given: cast.withEveryChild,
      when: (user, place) => user.delete(cast.childRef(place, role)),
    }),
    ...Object.entries(strippings).map(([what, change]) =>
      cast.aboutWeb({
        name: `drift-${role}-${what}`,
        given: cast.withEveryChild,
        when: async (user, place) => {
          await user.patch(cast.childRef(place, role), change);
          // Of a child without an owner nobody knows whose it is until somebody looks at the service.
          if (what === 'owner') await cast.wake(user, cast.webRef(place));
        },
      }),
    ),
  ]),
  cast.aboutWeb({
    name: 'drift-tunnel-labels-and-owner',
    given: cast.withEveryChild,
    when: async (user, place) =>
      void (await user.patch(cast.childRef(place, 'tunnel'), { metadata: { labels: null, ownerReferences: null } })),
  }),
  cast.aboutWeb({
    name: 'drift-tunnel-image',
    given: cast.withEveryChild,
    when: async (user, place) => {
      const ref = cast.childRef(place, 'tunnel');
      await user.patch(ref, cast.otherImage(await user.get(ref)));
    },
  }),
  cast.aboutWeb({
    name: 'drift-tunnel-orphaned',
    given: cast.withEveryChild,
    when: (user, place) => user.delete(cast.childRef(place, 'tunnel'), 'Orphan'),
  }),
  cast.aboutWeb({
    name: 'drift-config-and-endpoints',
    given: cast.withEveryChild,
    when: async (user, place) => {
      await user.patch(cast.childRef(place, 'config'), changes.config);
      await user.delete(cast.childRef(place, 'endpoints'));
    },
  }),
];
