import { bareCopy } from '../../../packages/controller/testing/calls/bare-copy.ts';
import type { ChildRole } from '../../../resources/distributed-service/names.ts';
import type { Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

interface Row {
  readonly what: string;
  readonly role: ChildRole;
  readonly spec: Readonly<Record<string, unknown>>;
}

const probe = { httpGet: { path: '/mine', port: 18_001 } };

/** What somebody sets on a child, by a field that Knudge does not name or by an item beside ours, and what breaks it. */
const rows: readonly Row[] = [
  { what: 'balanced-reached', role: 'balanced', spec: { externalIPs: ['192.0.2.1'] } },
  { what: 'balanced-sticky', role: 'balanced', spec: { sessionAffinity: 'ClientIP' } },
  { what: 'backends-unready', role: 'backends', spec: { publishNotReadyAddresses: true } },
  { what: 'tunnel-paused', role: 'tunnel', spec: { paused: true } },
  { what: 'tunnel-waiting', role: 'tunnel', spec: { minReadySeconds: 500 } },
  { what: 'tunnel-rolling', role: 'tunnel', spec: { strategy: { type: 'RollingUpdate' } } },
];

const labels = { 'example.com/app': 'web' };

export const strays: readonly Scenario[] = [
  ...rows.map(({ what, role, spec }) =>
    cast.aboutWeb({
      name: `stray-${what}`,
      given: cast.withEveryChild,
      when: async (user, place) => void (await user.patch(cast.childRef(place, role), { spec })),
    }),
  ),
  cast.aboutWeb({
    name: 'stray-tunnel-probed',
    given: cast.withEveryChild,
    when: async (user, place) => {
      const ref = cast.childRef(place, 'tunnel');
      const live = (await user.get(ref)) as unknown as {
        spec: { template: { spec: { containers: readonly object[] } } };
      };
      const containers = live.spec.template.spec.containers.map((one) => ({ ...one, livenessProbe: probe }));
      await user.patch(ref, { spec: { template: { spec: { containers } } } });
    },
  }),
  cast.aboutWeb({
    name: 'stray-tunnel-remade',
    given: cast.withEveryChild,
    when: async (user, place) => {
      const ref = cast.childRef(place, 'tunnel');
      const live = await user.get(ref);
      if (live === undefined) return;
      const copy = bareCopy(live) as typeof live & { readonly spec: { readonly template: object } };
      const template = { ...copy.spec.template, metadata: { labels } };
      await user.delete(ref);
      await user.create({
        ...copy,
        spec: { ...copy.spec, selector: { matchLabels: labels }, template },
      } as typeof live);
      await cast.wake(user, cast.webRef(place));
    },
  }),
];
