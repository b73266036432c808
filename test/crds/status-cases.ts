/** A status that a controller might write, and what the API server says. */
interface StatusCase {
  readonly name: string;
  readonly of: Kind;
  readonly status: Status;
  /** 'accepted', or a part of the refusal. */
  readonly expected: string;
}

type Kind = 'DistributedService' | 'Message';
type Status = Readonly<Record<string, unknown>>;

const condition = {
  type: 'Ready',
  status: 'True',
  reason: 'BackendsReady',
  message: '2 backends available',
  observedGeneration: 1,
  lastTransitionTime: '2026-01-02T03:04:05Z',
};
const endpoint = { address: '10.0.0.1', port: 80, weight: 1, ready: true };
const withCondition = (over: object) => ({ conditions: [{ ...condition, ...over }] });
const withEndpoint = (over: object) => ({ endpoints: [{ ...endpoint, ...over }] });
const typed = (count: number) => Array.from({ length: count }, (_, i) => ({ ...condition, type: `Type${i}` }));

export const statusCases: readonly StatusCase[] = [
  ...ofBoth('accepted', {
    '16 conditions are accepted': { conditions: typed(16) },
    'a condition that is false is accepted': withCondition({ status: 'False' }),
    'a condition that nobody knows is accepted': withCondition({ status: 'Unknown' }),
    'a time with a fraction and an offset is accepted': withCondition({
      lastTransitionTime: '2026-01-02T03:04:05.000000001+07:00',
    }),
    'a condition with an empty message is accepted': withCondition({ message: '' }),
    'a message of 1024 characters is accepted': withCondition({ message: 'é'.repeat(1024) }),
    'a reason of 1024 characters is accepted': withCondition({ reason: 'R'.repeat(1024) }),
    'a type of 316 characters is accepted': withCondition({ type: 'T'.repeat(316) }),
    'generation 0 is accepted': { observedGeneration: 0, ...withCondition({ observedGeneration: 0 }) },
  }),
  ...ofBoth('Required value', {
    'a condition without a type is refused': withCondition({ type: undefined }),
    'a condition without a status is refused': withCondition({ status: undefined }),
    'a condition without a reason is refused': withCondition({ reason: undefined }),
    'a condition without a message is refused': withCondition({ message: undefined }),
    'a condition without a time is refused': withCondition({ lastTransitionTime: undefined }),
  }),
  ...ofBoth('Unsupported value', { 'a condition in small letters is refused': withCondition({ status: 'true' }) }),
  ...ofBoth('Duplicate value', {
    'two answers to one question are refused': { conditions: [condition, { ...condition, status: 'False' }] },
  }),
  ...ofBoth('Too many', { '17 conditions are refused': { conditions: typed(17) } }),
  ...ofBoth('Too long', {
    'a message of 1025 characters is refused': withCondition({ message: 'x'.repeat(1025) }),
    'a reason of 1025 characters is refused': withCondition({ reason: 'R'.repeat(1025) }),
    'a type of 317 characters is refused': withCondition({ type: 'T'.repeat(317) }),
  }),
  ...ofBoth('status.conditions[0]', {
    'a type with a space is refused': withCondition({ type: 'Is ready' }),
    'an empty reason is refused': withCondition({ reason: '' }),
    'a reason of two words is refused': withCondition({ reason: 'Not ready' }),
    'a time without a zone is refused': withCondition({ lastTransitionTime: '2026-01-02 03:04:05' }),
    'a time in month 13 is refused': withCondition({ lastTransitionTime: '2026-13-02T03:04:05Z' }),
    'a list for a time is refused': withCondition({ lastTransitionTime: ['2026-01-02T03:04:05Z'] }),
    'a condition of a generation below 0 is refused': withCondition({ observedGeneration: -1 }),
  }),
  ...ofBoth('status.observedGeneration', { 'a generation below 0 is refused': { observedGeneration: -1 } }),

  ...rows('DistributedService', 'accepted', {
    'everything at once is accepted': {
      state: 'Running',
      observedGeneration: 3,
      conditions: [condition],
      endpoints: [endpoint],
      activeEndpoints: 1,
      selector: 's'.repeat(2048),
      serverProfile: 'p'.repeat(317),
      identityDigest: 'd'.repeat(64),
      exposureDigest: 'e'.repeat(64),
      address: 'a'.repeat(512),
      lastReconciled: '2026-01-02T03:04:05Z',
    },
    '256 endpoints are accepted': { endpoints: Array(256).fill(endpoint) },
    'an endpoint at the upper bounds is accepted': withEndpoint({ address: 'a'.repeat(63), port: 65_535, weight: 128 }),
    'an endpoint at the lower bounds is accepted': withEndpoint({ port: 1, weight: 1, ready: false }),
    'no active backends are accepted': { activeEndpoints: 0 },
    ...each('state', ['Pending', 'Provisioning', 'Running', 'Updating', 'Failed', 'Terminating']),
  }),
  ...rows('DistributedService', 'Unsupported value', { 'a state that is not there is refused': { state: 'Done' } }),
  ...rows('DistributedService', 'Required value', {
    'an endpoint without an address is refused': withEndpoint({ address: undefined }),
    'an endpoint without a port is refused': withEndpoint({ port: undefined }),
    'an endpoint without a weight is refused': withEndpoint({ weight: undefined }),
    'an endpoint that is neither ready nor not is refused': withEndpoint({ ready: undefined }),
  }),
  ...rows('DistributedService', 'Too long', {
    'an endpoint address of 64 characters is refused': withEndpoint({ address: 'a'.repeat(64) }),
    'a selector of 2049 characters is refused': { selector: 's'.repeat(2049) },
    'an address of 513 characters is refused': { address: 'a'.repeat(513) },
    'a profile of 318 characters is refused': { serverProfile: 'p'.repeat(318) },
    'a digest of 65 characters is refused': { identityDigest: 'd'.repeat(65) },
    'a digest of an exposure of 65 characters is refused': { exposureDigest: 'e'.repeat(65) },
  }),
  ...rows('DistributedService', 'Too many', { '257 endpoints are refused': { endpoints: Array(257).fill(endpoint) } }),
  ...rows('DistributedService', 'status.endpoints[0]', {
    'an endpoint on port 0 is refused': withEndpoint({ port: 0 }),
    'an endpoint on port 65536 is refused': withEndpoint({ port: 65_536 }),
    'an endpoint of weight 0 is refused': withEndpoint({ weight: 0 }),
    'an endpoint of weight 129 is refused': withEndpoint({ weight: 129 }),
  }),
  ...rows('DistributedService', 'status.', {
    'fewer than no active backends are refused': { activeEndpoints: -1 },
    'a time that is none is refused': { lastReconciled: 'yesterday' },
    'a list for the last reconcile is refused': { lastReconciled: ['x'] },
  }),

  ...rows('Message', 'accepted', {
    'everything at once is accepted': {
      phase: 'Processed',
      observedGeneration: 1,
      podName: 'p'.repeat(253),
      conditions: [condition],
    },
    ...each('phase', ['Pending', 'Processed', 'Failed']),
  }),
  ...rows('Message', 'Unsupported value', { 'a phase that is not there is refused': { phase: 'Running' } }),
  ...rows('Message', 'Too long', { 'a Pod name of 254 characters is refused': { podName: 'p'.repeat(254) } }),
];

function each(field: string, values: readonly string[]): Readonly<Record<string, Status>> {
  return Object.fromEntries(values.map((value) => [`${field} ${value} is accepted`, { [field]: value }]));
}

/** The two resources share their conditions and the generation observed. */
function ofBoth(expected: string, table: Readonly<Record<string, Status>>): readonly StatusCase[] {
  return [...rows('DistributedService', expected, table), ...rows('Message', expected, table)];
}

function rows(of: Kind, expected: string, table: Readonly<Record<string, Status>>): readonly StatusCase[] {
  return Object.entries(table).map(([name, status]) => ({ name, of, status, expected }));
}
