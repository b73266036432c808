import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OwnSeen, Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { judgeProfiles } from '../../../resources/distributed-service/doctor/profiles.ts';
import { judgeSecrets } from '../../../resources/distributed-service/doctor/secrets.ts';
import { serverProfile } from '../../../test/build/objects.ts';
import { judgeDeadLetters } from '../../doctor/checks/dead-letters.ts';
import { judgeDeletions } from '../../doctor/checks/deletions.ts';
import { judgeResync } from '../../doctor/checks/resync.ts';
import { judgeRights } from '../../doctor/checks/rights.ts';
import type { Seen } from '../../doctor/seen.ts';
import { empty, func, judged, now, type Row, thing, wanting } from './scene.ts';

const lease = (renewTime: string, name = 'knudge-resync') =>
  thing('coordination.k8s.io/v1', 'Lease', { metadata: { name }, spec: { renewTime } });
const ping = (schedule: string) => thing('sources.knative.dev/v1', 'PingSource', { spec: { schedule } });
const since = (creationTimestamp: string) =>
  thing('sources.knative.dev/v1', 'PingSource', { metadata: { name: 'resync-due', creationTimestamp } });
const leaving = (more: Partial<Thing> = {}) =>
  thing('frp.io/v1beta1', 'DistributedService', {
    metadata: { name: 'x', deletionTimestamp: '2026-11-21T11:55:00Z' },
    ...more,
  });
const role = (...verbs: readonly string[]): readonly Thing[] => [
  {
    ...thing('rbac.authorization.k8s.io/v1', 'ClusterRole'),
    rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
  } as Thing,
  {
    ...thing('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'),
    roleRef: { kind: 'ClusterRole', name: 'x' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'knudge', name: 'f' }],
  } as Thing,
];
const profile = serverProfile() as unknown as Thing;

const resyncOf = (leases: readonly Thing[], more: Partial<Seen> = {}, schedule = '*/5 * * * *') =>
  judgeResync({ ...empty, leases: { value: leases }, ...more }, wanting(ping(schedule)));
const seen: OwnSeen = { parents: { value: [] }, lists: { profiles: { value: [] } }, unreachable: new Map() };
const profilesOf = (more: Partial<OwnSeen>) => judgeProfiles({ ...seen, ...more });

const reachedOf = (address: string, why: string | undefined) =>
  profilesOf({
    lists: { profiles: { value: [serverProfile('default', { address, port: '7000' }) as unknown as Thing] } },
    unreachable: new Map([[`${address}:7000`, why]]),
  });

const rows: readonly Row[] = [
  {
    name: 'a resync within three ticks and some, whatever other Leases say',
    found: resyncOf([lease('2026-11-20T00:00:00.000000Z', 'another'), lease('2026-11-21T11:43:00.000000Z')]),
    wanted: ['ok the last resync began 1020 s ago, as Lease knudge/knudge-resync says'],
  },
  {
    name: 'none for longer',
    found: resyncOf([lease('2026-11-21T11:42:59.000000Z')]),
    wanted: ['problem the last resync began 1021 s ago'],
  },
  {
    name: 'another schedule counts as five minutes',
    found: resyncOf([lease('2026-11-21T11:42:59.000000Z')], {}, '@daily'),
    wanted: ['problem the last resync began 1021 s ago'],
  },
  { name: 'no resync yet', found: resyncOf([]), wanted: ['warning no resync has asked after every parent yet'] },
  {
    name: 'no resync yet, and the PingSource is young',
    found: resyncOf([], { pings: { value: [since('2026-11-21T11:50:00Z')] } }),
    wanted: ['warning no resync has asked after every parent yet'],
  },
  {
    name: 'no resync, and the PingSource is old',
    found: resyncOf([lease('nonsense')], { pings: { value: [since('2026-11-21T11:00:00Z')] } }),
    wanted: [
      'problem no resync has asked after every parent yet, as there is no Lease knudge-resync, though its PingSource',
    ],
  },
  {
    name: 'no resync yet, and the PingSource cannot be read',
    found: resyncOf([], { pings: { why: 'forbidden' } }),
    wanted: ['warning no resync'],
  },
  {
    name: 'Leases that cannot be read',
    found: resyncOf([], { leases: { why: 'forbidden' } }),
    wanted: ['unchecked not checked: the age of the last resync, which is in a Lease (forbidden)'],
  },
  {
    name: 'rights as granted',
    found: judgeRights({ ...empty, roles: { value: role('get') } }, wanting(func, ...role('get'))),
    wanted: ['ok ServiceAccount knudge/f has the rights'],
  },
  {
    name: 'a wildcard covers all, and is more than granted',
    found: judgeRights({ ...empty, roles: { value: role('*') } }, wanting(func, ...role('get'))),
    wanted: ['warning ServiceAccount knudge/f may more than deploy/ grants in all namespaces: * pods'],
  },
  {
    name: 'a function without an account',
    found: judgeRights(empty, wanting(thing('serving.knative.dev/v1', 'Service'))),
    wanted: [],
  },
  { name: 'no profile, and nobody needs one', found: profilesOf({}), wanted: [] },
  {
    name: 'no profile, and somebody needs one',
    found: profilesOf({ parents: { value: [leaving()] } }),
    wanted: ['problem there is no server profile'],
  },
  {
    name: 'a profile that makes no sense',
    found: profilesOf({ lists: { profiles: { value: [{ ...profile, data: {} }] } } }),
    wanted: ['problem ConfigMap'],
  },
  {
    name: 'a profile that nobody tried',
    found: profilesOf({ lists: { profiles: { value: [profile] } } }),
    wanted: ['unchecked not checked: FRP server'],
  },
  ...['frps.knudge.svc', 'frps.knudge.svc.cluster.local', 'frps.knudge.svc.example.org'].map((name) => ({
    name: `an FRP server of the cluster itself: ${name}`,
    found: reachedOf(name, 'ENOTFOUND'),
    wanted: [
      `unchecked not checked: whether FRP server default (ConfigMap ${profile.metadata.namespace}/frps-default) at ${name}:7000 takes a connection: only the DNS of the cluster knows that name`,
    ],
  })),
  {
    name: 'such a name that is known here, too',
    found: reachedOf('frps.knudge.svc', undefined),
    wanted: ['ok FRP server default'],
  },
  {
    name: 'such a name that is known here, where nobody listens',
    found: reachedOf('frps.knudge.svc', 'ECONNREFUSED'),
    wanted: ['warning FRP server default'],
  },
  {
    name: 'a name that nobody knows',
    found: reachedOf('frps.svc-example.com', 'ENOTFOUND'),
    wanted: ['warning FRP server default'],
  },
  {
    name: 'dead letters',
    found: judgeDeadLetters({ ...empty, openDeadLetters: { value: 2 } }),
    wanted: ['warning 2 dead letters are open'],
  },
  {
    name: 'a deletion at its deadline',
    found: judgeDeletions({ ...empty, parents: { value: [leaving()] } }),
    wanted: ['problem DistributedService knudge/x has been leaving for 300 s'],
  },
  {
    name: 'a deletion before it',
    found: judgeDeletions({ ...empty, now: now - 1, parents: { value: [leaving()] } }),
    wanted: ['ok no deletion'],
  },
];
for (const row of rows) judged(row);

it('an account that several functions run as is judged once, and what lacks is told with all of them', () => {
  const another = thing('serving.knative.dev/v1', 'Service', { metadata: { name: 'y' }, spec: func.spec ?? {} });
  const [found, ...others] = judgeRights(empty, wanting(func, another, ...role('get')));
  assert.deepEqual(others, []);
  assert.match(found?.what ?? '', /^ServiceAccount knudge\/f may not in all namespaces: get pods, since /);
  assert.match(found?.why ?? '', /^the work of x, y fails without them/);
});

it('a Secret that a service may not use is told with the command that lets it', () => {
  const message = 'Secret shop/mine is not marked as one that services may use: let …';
  const told = (reason: string) => ({ conditions: [{ type: 'CertificatesReady', status: 'False', reason, message }] });
  const services = ['SecretNotForUse', 'TokenSecretNotForUse', 'SecretInvalid'].map((reason) =>
    thing('frp.io/v1beta1', 'DistributedService', { status: told(reason) }),
  );
  const found = judgeSecrets({ ...seen, parents: { value: services } });
  assert.deepEqual(
    found.map(({ level, todo }) => [level, todo]),
    Array.from({ length: 2 }, () => ['problem', 'kubectl label secret mine --namespace shop frp.io/use=true']),
  );
  assert.deepEqual(
    judgeSecrets({ ...seen, parents: { value: [] } }).map(({ level }) => level),
    ['ok'],
  );
});

it('a blocked deletion is told with what blocks it', () => {
  const status = { conditions: [{ type: 'CleanupBlocked', status: 'True', message: 'remove the finalizer' }] };
  const [found] = judgeDeletions({ ...empty, parents: { value: [leaving({ status })] } });
  assert.equal(found?.todo, 'remove the finalizer');
});
