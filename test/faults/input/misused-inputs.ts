import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { authorityName } from '../../../resources/distributed-service/names.ts';
import { ownSecret, profile, secret } from './good-world.ts';
import { type Misuse, quoted, shapes } from './misuse.ts';

/** Services that rest on a server profile, a Secret or a certificate authority that is not what it must be. */
export function misusedInputs(): readonly Misuse[] {
  return [...profiles(), ...secrets(), authority];
}

function profiles(): readonly Misuse[] {
  const hostile = [
    '"',
    '{{ .Envs.TOKEN }}',
    'a"\n[[proxies]]',
    'a\u0000b',
    '\u2028',
    '😀',
    'a b',
    '',
    '../x',
    'http://a',
    'a:7000',
    'x'.repeat(300),
  ];
  const data: readonly Readonly<Record<string, string>>[] = [
    ...hostile.map((address) => ({ address })),
    ...['127.1', '0x7f.1', '[::1]', 'a..b', '-a'].map((address) => ({ address })),
    ...['0', '65536', '-1', 'x', '7000 ', '1e3', ''].map((port) => ({ port })),
    ...['', 'x', '-----BEGIN CERTIFICATE-----', '-----BEGIN PRIVATE KEY-----\nMIJD\n-----END PRIVATE KEY-----'].map(
      (ca) => ({ 'ca.crt': ca }),
    ),
    ...['maybe', 'TRUE', ''].map((gate) => ({ gate })),
    ...['A', 'a b', '{{x}}'].map((tokenSecret) => ({ gate: 'false', tokenSecret })),
    { gate: 'true', tokenSecret: 'x' },
    { serverName: 'a"b' },
    { vhostHTTPPort: 'http' },
    { vhostHTTPSPort: '99999' },
    { subDomainHost: '..' },
    { heartbeatInterval: '0' },
    { heartbeatInterval: '99999' },
    { Address: 'frps.example.com' },
    { constructor: 'x' },
  ];
  const own = 'own profile';
  const good = (name: string) => ({
    put: [profile(`${name}-p`)],
    remove: [profile(`${name}-p`, {}, `second-${name}`)],
  });
  const told = (reason: string, message: RegExp) =>
    ({ spec: shapes[own], shape: own, good, told: { reason, message } }) as const;
  return [
    ...data.map((wrong) => ({
      name: `a server profile with ${JSON.stringify(wrong).slice(0, 60)}`,
      bad: (name: string) => ({ put: [profile(`${name}-p`, wrong)] }),
      ...told('ServerProfileInvalid', quoted(Object.keys(wrong).at(-1) ?? '')),
    })),
    {
      name: 'a server profile that is not there',
      bad: (name: string) => ({ remove: [profile(`${name}-p`)] }),
      ...told('ServerProfileNotFound', /create one/),
    },
    {
      name: 'two server profiles of one name',
      bad: (name: string) => ({ put: [profile(`${name}-p`), profile(`${name}-p`, {}, `second-${name}`)] }),
      ...told('ServerProfileAmbiguous', /second-/),
    },
  ];
}

function secrets(): readonly Misuse[] {
  const own = 'own secret';
  const wrong: Readonly<Record<string, (name: string) => Promise<KubeObject> | KubeObject>> = {
    'without data': (name) => secret(name, {}),
    'without a key': (name) => secret(name, { 'tls.crt': 'x' }),
    'without a certificate': (name) => secret(name, { 'tls.key': 'x' }),
    'with words for keys': (name) => secret(name, { 'tls.crt': 'x', 'tls.key': 'y' }),
    'with nothing for keys': (name) => secret(name, { 'tls.crt': '', 'tls.key': '' }, 'kubernetes.io/tls'),
    'with bytes for keys': (name) => secret(name, { 'tls.crt': '\u0000\uffff', 'tls.key': '{{ .Envs.A }}' }),
    'with other names for its keys': (name) => secret(name, { 'ca.crt': 'x', token: 'y' }),
    'with frames and nothing in them': (name) =>
      secret(name, {
        'tls.crt': '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----',
        'tls.key': '-----BEGIN PRIVATE KEY-----',
      }),
    'whose certificate has ended': (name) => ownSecret(name, '2021-01-01T00:00:00Z'),
  };
  const base = { spec: shapes[own], shape: own } as const;
  const good = async (name: string) => ({ remove: [secret(`${name}-s`, {})], put: [await ownSecret(`${name}-s`)] });
  const rows = Object.entries(wrong).map(
    ([what, make]): Misuse => ({
      name: `a Secret ${what}`,
      bad: async (name) => ({ remove: [secret(`${name}-s`, {})], put: [await make(`${name}-s`)] }),
      told: what.includes('ended')
        ? { reason: 'CertificateExpired', message: /ended at 2021/ }
        : { reason: 'SecretInvalid', message: /tls\.crt/ },
      good,
      ...base,
    }),
  );
  const missing: Misuse = {
    name: 'a Secret that is not there',
    bad: (name) => ({ remove: [secret(`${name}-s`, {})] }),
    told: { reason: 'SecretNotFound', message: /create it/ },
    good,
    ...base,
  };
  const unmarked: Misuse = {
    name: 'a Secret that nobody marked as one that services may use',
    bad: async (name) => {
      const { metadata, ...rest } = await ownSecret(`${name}-s`);
      return { remove: [secret(`${name}-s`, {})], put: [{ ...rest, metadata: { name: metadata.name } } as KubeObject] };
    },
    told: { reason: 'SecretNotForUse', message: /kubectl label secret .* frp\.io\/use=true/ },
    good,
    ...base,
  };
  return [...rows, missing, unmarked];
}

const authority: Misuse = {
  name: 'a Secret of somebody else with the name of the certificate authority',
  spec: shapes['own profile, made certificate'],
  bad: (name) => ({ put: [profile(`${name}-p`), secret(authorityName(`${name}-p`), { 'tls.crt': 'mine' })] }),
  told: { reason: 'AuthorityForeign', message: /rename it/ },
  shape: 'own profile, made certificate',
  good: (name) => ({ remove: [secret(authorityName(`${name}-p`), {})], put: [profile(`${name}-p`)] }),
  onlyNew: true,
};
