import type { Case } from '../case.ts';
import { accepted, refused, service } from '../case.ts';

const defaults = {
  serverProfile: 'default',
  loadBalancing: { algorithm: 'round-robin' },
  security: { mtls: { enabled: false, autoGenerate: true } },
};

/** The object as a whole: its name, its versions, what is required, defaults, and what is not known. */
export const serviceCases: readonly Case[] = [
  {
    name: 'the least that says anything gets every default',
    object: service(),
    expected: 'accepted',
    spec: { ...defaults, serviceType: 'http', backends: { port: 8080, discovery: 'auto', replicas: 1 } },
  },
  {
    name: 'v1 is the same as v1beta1',
    object: { ...service(), apiVersion: 'frp.io/v1' },
    expected: 'accepted',
    spec: { ...defaults, serviceType: 'http', backends: { port: 8080, discovery: 'auto', replicas: 1 } },
  },
  {
    name: 'fields that nobody knows are pruned, at every depth',
    object: service({ nope: 1, backends: { port: 'http', nope: { deep: 1 } }, security: { mtls: { nope: [] } } }),
    expected: 'accepted',
    spec: { ...defaults, serviceType: 'http', backends: { port: 'http', discovery: 'auto', replicas: 1 } },
  },
  {
    name: 'null is as if the field were absent, where there is a default',
    object: service({ serverProfile: null, loadBalancing: null, security: { mtls: null } }),
    expected: 'accepted',
    spec: { ...defaults, serviceType: 'http', backends: { port: 8080, discovery: 'auto', replicas: 1 } },
  },
  ...accepted({
    'a tcp service is accepted': service({ serviceType: 'tcp' }),
    'a udp service is accepted': service({ serviceType: 'udp' }),
    'a name of 63 characters is accepted': service({}, { name: 'a'.repeat(63) }),
    'a server profile of 63 characters is accepted': service({ serverProfile: 'p'.repeat(63) }),
  }),
  ...refused('must be a DNS label of at most 63 characters', {
    'a name of 64 characters is refused': service({}, { name: 'a'.repeat(64) }),
    'a name of 253 characters is refused': service({}, { name: `${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(61) }),
    'a name with a dot is refused': service({}, { name: 'web.shop' }),
  }),
  ...refused('Required value', {
    'a service without a spec is refused': { ...service(), spec: undefined },
    'a service without serviceType is refused': service({ serviceType: undefined }),
    'a service without backends is refused': service({ backends: undefined }),
  }),
  ...refused('Unsupported value', {
    'a service of type https is refused': service({ serviceType: 'https' }),
    'the type in capital letters is refused': service({ serviceType: 'HTTP' }),
  }),
  ...refused('spec.serverProfile', {
    'a server profile of 64 characters is refused': service({ serverProfile: 'p'.repeat(64) }),
    'a server profile that is a template is refused': service({ serverProfile: '{{ .Envs.TOKEN }}' }),
    'a server profile in another namespace is refused': service({ serverProfile: 'other/default' }),
    'an empty server profile is refused': service({ serverProfile: '' }),
    'a server profile that is a number is refused': service({ serverProfile: 7 }),
  }),
];
