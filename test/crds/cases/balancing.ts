import type { Case } from '../case.ts';
import { accepted, refused, service, withHealthCheck } from '../case.ts';

const weighted = (algorithm: string, weight: number) =>
  service({
    backends: { discovery: 'manual', port: 80, endpoints: [{ host: '10.0.0.1' }, { host: '10.0.0.2', weight }] },
    loadBalancing: { algorithm },
  });
const balanced = (serviceType: string, algorithm: string) => service({ serviceType, loadBalancing: { algorithm } });

const algorithms: readonly Case[] = [
  ...accepted({
    'http can count open requests': balanced('http', 'least-conn'),
    'tcp can count open connections': balanced('tcp', 'least-conn'),
    'udp can take turns': balanced('udp', 'round-robin'),
    'udp can draw': balanced('udp', 'random'),
    'random with weights of 1 is accepted': weighted('random', 1),
    'round-robin with weights is accepted': weighted('round-robin', 3),
    'least-conn with weights is accepted': weighted('least-conn', 3),
  }),
  ...refused('udp has no connections to count: use round-robin or random', {
    'udp with least-conn is refused': balanced('udp', 'least-conn'),
  }),
  ...refused('random ignores weights', { 'random with weights is refused': weighted('random', 2) }),
  ...refused('Unsupported value', { 'an algorithm that is not there is refused': balanced('http', 'ip-hash') }),
];

const checks: readonly Case[] = [
  {
    name: 'a health check that says nothing gets every default',
    object: withHealthCheck({}),
    expected: 'accepted',
    spec: {
      serviceType: 'http',
      serverProfile: 'default',
      backends: { discovery: 'auto', port: 8080, replicas: 1 },
      loadBalancing: {
        algorithm: 'round-robin',
        healthCheck: { type: 'tcp', interval: '5s', timeout: '1s', failureThreshold: 3, successThreshold: 1 },
      },
      security: { mtls: { enabled: false, autoGenerate: true } },
    },
  },
  ...accepted({
    'an http check of a tcp service is accepted': withHealthCheck({ type: 'http', path: '/ready?full=1' }, 'tcp'),
    'a udp service with a tcp check of another port is accepted': withHealthCheck({ port: 8053 }, 'udp'),
    'a check of port 1 is accepted': withHealthCheck({ port: 1 }),
    'a check of port 65535 is accepted': withHealthCheck({ port: 65_535 }),
    'the shortest times are accepted': withHealthCheck({ interval: '1s', timeout: '100ms' }),
    'the longest times are accepted': withHealthCheck({ interval: '5m', timeout: '1m' }),
    'times may be in ms': withHealthCheck({ interval: '300000ms', timeout: '60000ms' }),
    'the thresholds may be 10': withHealthCheck({ failureThreshold: 10, successThreshold: 10 }),
    'the thresholds may be 1': withHealthCheck({ failureThreshold: 1, successThreshold: 1 }),
    'a path of 1024 characters is accepted': withHealthCheck({ type: 'http', path: `/${'a'.repeat(1023)}` }),
  }),
  ...refused('a udp service cannot be probed by http', {
    'an http check of a udp service is refused': withHealthCheck({ type: 'http', port: 80 }, 'udp'),
  }),
  ...refused('a udp port cannot be probed', { 'a check of the udp port is refused': withHealthCheck({}, 'udp') }),
  ...refused('path is for http checks only', { 'a path in a tcp check is refused': withHealthCheck({ path: '/' }) }),
  ...refused('timeout must be shorter than interval', {
    'a timeout as long as the interval is refused': withHealthCheck({ interval: '1s', timeout: '1000ms' }),
    'a timeout longer than the interval is refused': withHealthCheck({ interval: '2s', timeout: '3s' }),
    'a timeout longer than the default interval is refused': withHealthCheck({ timeout: '6s' }),
  }),
  ...refused('interval must be from 1s to 5m', {
    'an interval of 999ms is refused': withHealthCheck({ interval: '999ms', timeout: '100ms' }),
    'an interval of 301s is refused': withHealthCheck({ interval: '301s' }),
    'an interval of months is refused': withHealthCheck({ interval: '999999m' }),
  }),
  ...refused('timeout must be from 100ms to 1m', {
    'a timeout of 99ms is refused': withHealthCheck({ timeout: '99ms' }),
    'a timeout of 61s is refused': withHealthCheck({ interval: '5m', timeout: '61s' }),
  }),
  ...refused('spec.loadBalancing.healthCheck.interval', {
    'an interval without a unit is refused': withHealthCheck({ interval: '5' }),
    'an interval of hours is refused': withHealthCheck({ interval: '1h' }),
    'an interval of two units is refused': withHealthCheck({ interval: '1m30s' }),
    'a negative interval is refused': withHealthCheck({ interval: '-5s' }),
    'an interval with a leading zero is refused': withHealthCheck({ interval: '05s' }),
    'an interval that is a number is refused': withHealthCheck({ interval: 5 }),
    'an interval with a newline is refused': withHealthCheck({ interval: '5s\n' }),
  }),
  ...refused('spec.loadBalancing.healthCheck.timeout', {
    'a timeout without a unit is refused': withHealthCheck({ timeout: '1' }),
    'a timeout in fractions is refused': withHealthCheck({ timeout: '1.5s' }),
    'a timeout in nanoseconds is refused': withHealthCheck({ timeout: '500000000ns' }),
  }),
  ...refused('spec.loadBalancing.healthCheck.failureThreshold', {
    'a failure threshold of 0 is refused': withHealthCheck({ failureThreshold: 0 }),
    'a failure threshold of 11 is refused': withHealthCheck({ failureThreshold: 11 }),
  }),
  ...refused('spec.loadBalancing.healthCheck.successThreshold', {
    'a success threshold of 0 is refused': withHealthCheck({ successThreshold: 0 }),
    'a success threshold of 11 is refused': withHealthCheck({ successThreshold: 11 }),
  }),
  ...refused('spec.loadBalancing.healthCheck.port', {
    'a check of port 0 is refused': withHealthCheck({ port: 0 }),
    'a check of port 65536 is refused': withHealthCheck({ port: 65_536 }),
  }),
  ...refused('spec.loadBalancing.healthCheck.path', {
    'a path without a slash is refused': withHealthCheck({ type: 'http', path: 'healthz' }),
    'an empty path is refused': withHealthCheck({ type: 'http', path: '' }),
    'a path with a space is refused': withHealthCheck({ type: 'http', path: '/a b' }),
    'a path that splits the request is refused': withHealthCheck({ type: 'http', path: '/ HTTP/1.1\r\nHost: x' }),
    'a path with a newline at its end is refused': withHealthCheck({ type: 'http', path: '/a\n' }),
    'a path with NUL is refused': withHealthCheck({ type: 'http', path: '/\u0000' }),
    'a path that is a template is refused': withHealthCheck({ type: 'http', path: '/{{ .Envs.TOKEN }}' }),
    'a path with a double quote is refused': withHealthCheck({ type: 'http', path: '/"' }),
    'a path with a single quote is refused': withHealthCheck({ type: 'http', path: "/'" }),
    'a path with a backslash is refused': withHealthCheck({ type: 'http', path: '/\\' }),
    'a path with a fragment is refused': withHealthCheck({ type: 'http', path: '/#top' }),
    'a path in another script is refused': withHealthCheck({ type: 'http', path: '/здоровье' }),
    'a path of 1025 characters is refused': withHealthCheck({ type: 'http', path: `/${'a'.repeat(1024)}` }),
  }),
  ...refused('Unsupported value', { 'a check by grpc is refused': withHealthCheck({ type: 'grpc' }) }),
];

/** How the load is shared, and how backends are probed. */
export const balancingCases: readonly Case[] = [...algorithms, ...checks];
