import type { Case } from '../case.ts';
import { accepted, refused, withBackends } from '../case.ts';

const endpoints = [{ host: '10.0.0.1', port: 80 }];
const bySelector = (selector: object) => withBackends({ discovery: 'selector', port: 80, selector });
const byExpression = (expression: object) => bySelector({ matchExpressions: [expression] });
const followed = (workloadRef: object) => withBackends({ port: 80, workloadRef });
const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`label-${i}`, 'x']));
/** A prefix of 253 characters, a slash and a name of 63. */
const longestKey = `${'p'.repeat(253)}/${'k'.repeat(63)}`;
const longestValue = 'v'.repeat(63);

const selectors: readonly Case[] = [
  ...accepted({
    'an expression with values is accepted': byExpression({
      key: 'example.com/track',
      operator: 'In',
      values: ['a', 'b'],
    }),
    'an expression without values is accepted': byExpression({ key: 'debug', operator: 'DoesNotExist' }),
    'a label may have an empty value': bySelector({ matchLabels: { app: '' } }),
    '32 labels are accepted': bySelector({ matchLabels: labels(32) }),
    'a key of 317 and a value of 63 characters are accepted in matchLabels': bySelector({
      matchLabels: { [longestKey]: longestValue },
    }),
    'a key of 317 and a value of 63 characters are accepted in an expression': byExpression({
      key: longestKey,
      operator: 'In',
      values: [longestValue],
    }),
    'a value in an expression may be empty': byExpression({ key: 'a', operator: 'NotIn', values: [''] }),
    '16 expressions are accepted': bySelector({ matchExpressions: Array(16).fill({ key: 'a', operator: 'Exists' }) }),
    '32 values are accepted': byExpression({ key: 'a', operator: 'In', values: Array(32).fill('x') }),
  }),
  ...refused('an empty selector would take every Pod', {
    'an empty selector is refused': bySelector({}),
    'a selector with empty parts is refused': bySelector({ matchLabels: {}, matchExpressions: [] }),
  }),
  ...refused('In and NotIn compare with values', {
    'In without values is refused': byExpression({ key: 'track', operator: 'In' }),
    'NotIn with no value in its list is refused': byExpression({ key: 'track', operator: 'NotIn', values: [] }),
  }),
  ...refused('Exists and DoesNotExist look at the key alone', {
    'Exists with values is refused': byExpression({ key: 'track', operator: 'Exists', values: ['a'] }),
  }),
  ...refused('Unsupported value', {
    'an operator of SQL is refused': byExpression({ key: 'a', operator: 'LIKE', values: ['x'] }),
  }),
  ...refused('spec.backends.selector.matchExpressions[0]', {
    'a key with a space is refused': byExpression({ key: 'a b', operator: 'Exists' }),
    'a key that would be a second condition is refused': byExpression({ key: 'a,b', operator: 'Exists' }),
    'a value that would be a second condition is refused': byExpression({
      key: 'a',
      operator: 'In',
      values: ['b),c in (d'],
    }),
    'an expression without a key is refused': byExpression({ operator: 'Exists' }),
  }),
  ...refused('Required value', { 'an expression without an operator is refused': byExpression({ key: 'a' }) }),
  ...refused('Too many', {
    '17 expressions are refused': bySelector({ matchExpressions: Array(17).fill({ key: 'a', operator: 'Exists' }) }),
    '33 values are refused': byExpression({ key: 'a', operator: 'In', values: Array(33).fill('x') }),
  }),
  ...refused('Too long', {
    'a key of 318 characters is refused in an expression': byExpression({ key: `a${longestKey}`, operator: 'Exists' }),
    'a value of 64 characters is refused in an expression': byExpression({
      key: 'a',
      operator: 'In',
      values: [`${longestValue}x`],
    }),
  }),
  ...refused('spec.backends.selector.matchLabels', {
    'a value that would be a second condition is refused in matchLabels too': bySelector({
      matchLabels: { a: 'b,c=d' },
    }),
    'a value of 64 characters is refused': bySelector({ matchLabels: { a: 'x'.repeat(64) } }),
    '33 labels are refused': bySelector({ matchLabels: labels(33) }),
  }),
  ...refused("a label's key must have 1 to 317 characters", {
    'a key of 318 characters is refused': bySelector({ matchLabels: { ['k'.repeat(318)]: 'x' } }),
    'an empty key is refused': bySelector({ matchLabels: { '': 'x' } }),
  }),
];

const workloads: readonly Case[] = [
  {
    name: 'a workload is of apps/v1 unless it says otherwise',
    object: followed({ kind: 'StatefulSet', name: 'web.shop' }),
    expected: 'accepted',
    spec: {
      serviceType: 'http',
      serverProfile: 'default',
      backends: {
        discovery: 'auto',
        port: 80,
        replicas: 1,
        workloadRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web.shop' },
      },
      loadBalancing: { algorithm: 'round-robin' },
      security: { mtls: { enabled: false, autoGenerate: true } },
    },
  },
  ...accepted({
    'a Deployment with a name of 253 characters is accepted': followed({ kind: 'Deployment', name: 'a'.repeat(253) }),
    'a ReplicaSet is accepted': followed({ kind: 'ReplicaSet', name: 'web' }),
  }),
  ...refused('manual endpoints belong to no workload', {
    'a workload with manual endpoints is refused': withBackends({
      discovery: 'manual',
      endpoints,
      workloadRef: { kind: 'Deployment', name: 'web' },
    }),
  }),
  ...refused('spec.backends.workloadRef', {
    'a DaemonSet cannot be scaled, so it is refused': followed({ kind: 'DaemonSet', name: 'web' }),
    'a workload of another group is refused': followed({ apiVersion: 'batch/v1', kind: 'Deployment', name: 'web' }),
    'a workload without a name is refused': followed({ kind: 'Deployment' }),
    'a workload with an empty name is refused': followed({ kind: 'Deployment', name: '' }),
    'a workload without a kind is refused': followed({ name: 'web' }),
    'a workload in another folder of the API is refused': followed({ kind: 'Deployment', name: '../secrets' }),
    'a workload name of 254 characters is refused': followed({ kind: 'Deployment', name: 'a'.repeat(254) }),
  }),
];

/** Which Pods a selector takes, and which workload follows the replicas. */
export const selectorCases: readonly Case[] = [...selectors, ...workloads];
