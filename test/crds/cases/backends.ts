import type { Case } from '../case.ts';
import { accepted, refused, withBackends, withEndpoint } from '../case.ts';

const endpoints = [{ host: '10.0.0.1', port: 80 }];
const bySelector = (selector: object) => withBackends({ discovery: 'selector', port: 80, selector });

const discovery: readonly Case[] = [
  {
    name: 'a manual endpoint gets weight 1',
    object: withBackends({ discovery: 'manual', endpoints }),
    expected: 'accepted',
    spec: {
      serviceType: 'http',
      serverProfile: 'default',
      backends: { discovery: 'manual', endpoints: [{ host: '10.0.0.1', port: 80, weight: 1 }], replicas: 1 },
      loadBalancing: { algorithm: 'round-robin' },
      security: { mtls: { enabled: false, autoGenerate: true } },
    },
  },
  ...accepted({
    'manual endpoints may share backends.port': withBackends({
      discovery: 'manual',
      port: 80,
      endpoints: [{ host: 'a' }],
    }),
    'a named port is harmless where each endpoint has its own': withBackends({
      discovery: 'manual',
      port: 'http',
      endpoints,
    }),
    '256 endpoints are accepted': withBackends({ discovery: 'manual', endpoints: Array(256).fill(endpoints[0]) }),
    'a selector by labels is accepted': bySelector({ matchLabels: { app: 'web' } }),
    'no replicas are accepted': withBackends({ port: 80, replicas: 0 }),
    '1000 replicas are accepted': withBackends({ port: 80, replicas: 1000 }),
  }),
  ...refused('manual discovery needs at least one endpoint', {
    'manual discovery without endpoints is refused': withBackends({ discovery: 'manual', port: 80 }),
  }),
  ...refused('endpoints are for manual discovery only', {
    'endpoints with auto discovery are refused': withBackends({ port: 80, endpoints }),
    'endpoints with a selector are refused': withBackends({
      discovery: 'selector',
      port: 80,
      selector: { matchLabels: { app: 'web' } },
      endpoints,
    }),
  }),
  ...refused('a selector is for selector discovery only', {
    'a selector with auto discovery is refused': withBackends({ port: 80, selector: { matchLabels: { app: 'web' } } }),
    'a selector with endpoints is refused': withBackends({
      discovery: 'manual',
      endpoints,
      selector: { matchLabels: { app: 'web' } },
    }),
  }),
  ...refused('selector discovery needs a selector', {
    'selector discovery without one is refused': withBackends({ discovery: 'selector', port: 80 }),
  }),
  ...refused('auto and selector discovery need a port', {
    'auto discovery without a port is refused': withBackends({ discovery: 'auto' }),
    'backends that say nothing are refused': withBackends({}),
    'selector discovery without a port is refused': withBackends({
      discovery: 'selector',
      selector: { matchLabels: { app: 'web' } },
    }),
  }),
  ...refused('every manual endpoint needs a port', {
    'an endpoint without any port is refused': withBackends({
      discovery: 'manual',
      endpoints: [...endpoints, { host: 'a' }],
    }),
    'an endpoint cannot use a named port': withBackends({
      discovery: 'manual',
      port: 'http',
      endpoints: [{ host: 'a' }],
    }),
  }),
  ...refused('Unsupported value', { 'discovery by dns is refused': withBackends({ discovery: 'dns', port: 80 }) }),
  ...refused('Too many', {
    '257 endpoints are refused': withBackends({ discovery: 'manual', endpoints: Array(257).fill(endpoints[0]) }),
  }),
  ...refused('should have at least 1 items', {
    'an empty list of endpoints is refused': withBackends({ discovery: 'manual', port: 80, endpoints: [] }),
  }),
  ...refused('spec.backends.replicas', {
    '-1 replicas are refused': withBackends({ port: 80, replicas: -1 }),
    '1001 replicas are refused': withBackends({ port: 80, replicas: 1001 }),
    'half a replica is refused': withBackends({ port: 80, replicas: 0.5 }),
  }),
];

const ports: readonly Case[] = [
  ...accepted({
    'port 1 is accepted': withBackends({ port: 1 }),
    'port 65535 is accepted': withBackends({ port: 65_535 }),
    'a port name of 15 characters is accepted': withBackends({ port: 'metrics-2-https' }),
    'an endpoint on port 1 is accepted': withEndpoint({ port: 1 }),
    'an endpoint on port 65535 with weight 128 is accepted': withEndpoint({ port: 65_535, weight: 128 }),
  }),
  ...refused('a port number must be from 1 to 65535', {
    'port 0 is refused': withBackends({ port: 0 }),
    'port 65536 is refused': withBackends({ port: 65_536 }),
  }),
  ...refused('a port name must be lower-case letters, digits and single hyphens', {
    'a number in quotes is refused': withBackends({ port: '8080' }),
    'a port name in capital letters is refused': withBackends({ port: 'HTTP' }),
    'a port name with two hyphens in a row is refused': withBackends({ port: 'a--b' }),
    'a port name that ends with a hyphen is refused': withBackends({ port: 'http-' }),
    'a port name with a newline is refused': withBackends({ port: 'http\n' }),
    'a port name that is a template is refused': withBackends({ port: '{{ .A }}' }),
    'an empty port name is refused': withBackends({ port: '' }),
  }),
  ...refused('Too long', { 'a port name of 16 characters is refused': withBackends({ port: 'a'.repeat(16) }) }),
  ...refused('spec.backends.port', {
    'a port that is neither number nor string is refused': withBackends({ port: true }),
    'a port that is not whole is refused': withBackends({ port: 80.5 }),
  }),
  ...refused('spec.backends.endpoints[0].port', {
    'an endpoint on port 0 is refused': withEndpoint({ port: 0 }),
    'an endpoint on port 65536 is refused': withEndpoint({ port: 65_536 }),
    'an endpoint with a named port is refused': withEndpoint({ port: 'http' }),
  }),
  ...refused('spec.backends.endpoints[0].weight', {
    'weight 0 is refused': withEndpoint({ weight: 0 }),
    'weight 129 is refused': withEndpoint({ weight: 129 }),
  }),
];

/** How backends are found, and on which port. */
export const backendCases: readonly Case[] = [...discovery, ...ports];
