import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseServerProfile } from '../../../../resources/distributed-service/frp/server-profile.ts';
import { object, serverProfile } from '../../../../test/build/objects.ts';

const body = 'MIIBszCCAVmgAwIBAgIUQ2xpZW50IENBIGZvciB0ZXN0cyBvbmx5MAoGCCqGSM49\nBAMCMBQxEjAQBgNVBAMMCWtudWRnZS1jYQ==';
const certificate = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
const key = certificate.replaceAll('CERTIFICATE', 'EC PRIVATE KEY');

function parse(data: Readonly<Record<string, string>>): ReturnType<typeof parseServerProfile> {
  return parseServerProfile(serverProfile('default', { 'ca.crt': certificate, ...data }));
}

function problemOf(result: ReturnType<typeof parseServerProfile>): string {
  assert.ok('problem' in result, `a problem was expected and not ${JSON.stringify(result)}`);
  return result.problem;
}

describe('a server profile', () => {
  it('needs an address and an authority; the gate is the default, without heartbeats that ask it', () => {
    assert.deepEqual(parse({}), {
      name: 'default',
      configMap: { namespace: 'shop', name: 'frps-default' },
      address: 'frps.example.com',
      port: 7000,
      serverName: 'frps.example.com',
      authority: certificate,
      login: { kind: 'gate' },
    });
  });

  it('takes every key', () => {
    const data = {
      address: '2001:db8::7',
      port: '7443',
      serverName: 'frps.example.com',
      'ca.crt': certificate + certificate.replaceAll('\n', '\r\n'),
      tokenSecret: 'frps-token',
      gate: 'false',
      vhostHTTPPort: '8080',
      vhostHTTPSPort: '8443',
      subDomainHost: 'apps.example.com',
      heartbeatInterval: '3600',
    };
    assert.deepEqual(parse(data), {
      name: 'default',
      configMap: { namespace: 'shop', name: 'frps-default' },
      address: '2001:db8::7',
      port: 7443,
      serverName: 'frps.example.com',
      authority: data['ca.crt'],
      login: { kind: 'token', secretName: 'frps-token' },
      heartbeatInterval: 3600,
      vhostHttpPort: 8080,
      vhostHttpsPort: 8443,
      subDomainHost: 'apps.example.com',
    });
  });

  for (const [sentence, data, login, heartbeatInterval] of [
    [
      'with a token Secret alone has no gate and no heartbeats',
      { tokenSecret: 't' },
      { kind: 'token', secretName: 't' },
      undefined,
    ],
    ['without gate and token logs in without one', { gate: 'false' }, { kind: 'none' }, undefined],
    ['with the gate has the heartbeats it asks for', { gate: 'true', heartbeatInterval: '5' }, { kind: 'gate' }, 5],
  ] as const) {
    it(sentence, () => {
      const profile = parse(data);
      assert.ok(!('problem' in profile));
      assert.deepEqual([profile.login, profile.heartbeatInterval], [login, heartbeatInterval]);
    });
  }
});

const longLabel = 'a'.repeat(64);
const refused: readonly (readonly [key: string, value: string])[] = [
  ...[
    '',
    ' ',
    'frps.example.com ',
    'frps.example.com\n',
    'https://frps.example.com',
    'frps:7000',
    '[::1]',
    '-a.example',
    'a..b',
    '.',
    'a_b',
  ].map((value) => ['address', value] as const),
  ...[
    '127.1',
    '0x7f000001',
    '2130706433',
    '1.2.3.256',
    '01.2.3.4',
    'fe80::1%eth0',
    `${longLabel}.example`,
    'a.'.repeat(127),
    '{{ .Envs.HOME }}',
  ].map((value) => ['address', value] as const),
  ...['0', '65536', '-1', '7000.0', '7e3', '0x1b58', ' 7000', '07000', ''].map((value) => ['port', value] as const),
  ['serverName', 'frps.example.com:7000'],
  ['ca.crt', ''],
  ['ca.crt', 'a certificate'],
  ['ca.crt', key],
  ['ca.crt', certificate + key],
  ['ca.crt', certificate + key.replaceAll('-----', '----')],
  ['ca.crt', certificate.replace('-----END', '----END')],
  ['ca.crt', certificate.replace('MIIB', '!IIB')],
  ['ca.crt', certificate.replace('MIIB', 'AAAA')],
  ['ca.crt', certificate.replace('MIIB', 'MII')],
  ['ca.crt', `${certificate}-----BEGIN CERTIFICATE-----\n`],
  ['tokenSecret', 'Token'],
  ['tokenSecret', 'other/token'],
  ['tokenSecret', '../token'],
  ['gate', 'yes'],
  ['gate', 'True'],
  ['vhostHTTPPort', '80,81'],
  ['vhostHTTPSPort', 'https'],
  ['subDomainHost', '*.example.com'],
  ['heartbeatInterval', '0'],
  ['heartbeatInterval', '10s'],
  ['heartbeatInterval', '3601'],
];

describe('a problem of a server profile', () => {
  for (const [name, value] of refused) {
    it(`names the ConfigMap, the key ${name}, what is wrong and what to write: ${JSON.stringify(value).slice(0, 50)}`, () => {
      const problem = problemOf(parse({ [name]: value }));
      assert.match(problem, /^ConfigMap shop\/frps-default: key "/);
      assert.ok(problem.includes(`key "${name}"`) && problem.includes(': write '), problem);
      assert.ok(problem.length <= 300, problem);
    });
  }

  it('never shows what stands in ca.crt: it may be a key put there by mistake', () => {
    assert.ok(!problemOf(parse({ 'ca.crt': key })).includes('MII'));
  });

  for (const missing of ['address', 'ca.crt']) {
    it(`says that ${missing} is missing`, () => {
      const data = { address: 'frps.example.com', 'ca.crt': certificate };
      const configMap = serverProfile('default', data);
      const rest = Object.fromEntries(Object.entries(data).filter(([name]) => name !== missing));
      assert.match(
        problemOf(parseServerProfile({ ...configMap, data: rest })),
        new RegExp(`key "${missing}" is missing: add `),
      );
    });
  }

  for (const name of ['servername', 'token', '__proto__', 'constructor', 'toString']) {
    it(`says that the key ${name} is unknown`, () => {
      const data: unknown = JSON.parse(
        JSON.stringify({ address: 'a', 'ca.crt': certificate }).replace('{', `{"${name}":"a",`),
      );
      const problem = problemOf(parseServerProfile({ ...serverProfile(), data }));
      assert.ok(problem.includes(`key "${name}" is unknown: use only address, `), problem);
    });
  }

  it('says that gate and tokenSecret exclude each other', () => {
    assert.match(problemOf(parse({ gate: 'true', tokenSecret: 'token' })), /exclude each other.*remove one/);
  });

  it('says that the label is missing', () => {
    const configMap = object('ConfigMap', 'frps', { data: { address: 'a', 'ca.crt': certificate } });
    assert.match(problemOf(parseServerProfile(configMap)), /^ConfigMap shop\/frps has no label frp.io\/server-profile/);
  });

  for (const data of [undefined, null, 'text', [], { address: 7 }]) {
    it(`is no exception for data that are ${JSON.stringify(data)}`, () => {
      assert.match(
        problemOf(parseServerProfile({ ...serverProfile(), data })),
        /^ConfigMap shop\/frps-default: key "address"/,
      );
    });
  }
});
