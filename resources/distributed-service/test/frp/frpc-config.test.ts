import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { KnudgeError } from '../../../../packages/controller/domain/errors.ts';
import { tcpSpec } from '../../../../test/build/objects.ts';
import { podLayout } from '../../envoy/data-plane.ts';
import { type FrpcInput, frpcConfig } from '../../frp/frpc-config.ts';
import type { ServerProfile } from '../../frp/server-profile.ts';

const profile: ServerProfile = {
  name: 'default',
  configMap: { namespace: 'shop', name: 'frps' },
  address: 'frps.example.com',
  port: 7000,
  serverName: 'server.example.com',
  authority: 'a certificate',
  login: { kind: 'gate' },
  heartbeatInterval: 10,
};

function input(spec: Partial<FrpcInput['spec']> = {}, over: Partial<FrpcInput> = {}): FrpcInput {
  return { namespace: 'shop', name: 'web', uid: 'uid-1', spec: { ...tcpSpec, ...spec }, profile, ...over };
}

function proxiesOf(spec: Partial<FrpcInput['spec']>): unknown {
  const config: unknown = JSON.parse(frpcConfig(input(spec)));
  return (config as { proxies: unknown }).proxies;
}

function sectionOf(name: string, over: Partial<FrpcInput>, spec: Partial<FrpcInput['spec']> = {}): unknown {
  const config: unknown = JSON.parse(frpcConfig(input(spec, over)));
  return (config as Record<string, unknown>)[name];
}

const mtls = { security: { mtls: { enabled: true, autoGenerate: true } } };

describe('the configuration of frpc', () => {
  it('is this, in this order, for a tcp service behind the gate', () => {
    assert.equal(
      JSON.stringify(JSON.parse(frpcConfig(input()))),
      JSON.stringify({
        webServer: {
          addr: '127.0.0.1',
          port: podLayout.adminPort,
          user: 'knudge',
          password: '{{ .Envs.KNUDGE_POD_UID }}',
        },
        serverAddr: 'frps.example.com',
        serverPort: 7000,
        loginFailExit: false,
        auth: { method: 'oidc', oidc: { tokenSource: { type: 'file', file: { path: '/etc/knudge/identity/token' } } } },
        metadatas: { service: 'shop/web', uid: 'uid-1' },
        transport: {
          heartbeatInterval: 10,
          tls: { enable: true, trustedCaFile: '/etc/knudge/config/server-ca.crt', serverName: 'server.example.com' },
        },
        log: { to: 'console', level: 'warn', disablePrintColor: true },
        proxies: [
          { name: 'shop.web', type: 'tcp', localIP: '127.0.0.1', localPort: podLayout.ingressPort, remotePort: 7001 },
        ],
      }),
    );
  });

  it('shows the token of the server, from a file, where there is no gate', () => {
    const auth = sectionOf('auth', { profile: { ...profile, login: { kind: 'token', secretName: 'frps-token' } } });
    assert.deepEqual(auth, {
      method: 'token',
      tokenSource: { type: 'file', file: { path: '/etc/knudge/identity/token' } },
    });
  });

  it('reads no token where the server wants none', () => {
    assert.deepEqual(sectionOf('auth', { profile: { ...profile, login: { kind: 'none' } } }), { method: 'token' });
  });

  it('shows a certificate with mutual TLS', () => {
    assert.deepEqual(sectionOf('transport', {}, mtls), {
      heartbeatInterval: 10,
      tls: {
        enable: true,
        trustedCaFile: '/etc/knudge/config/server-ca.crt',
        serverName: 'server.example.com',
        certFile: '/etc/knudge/tls/tls.crt',
        keyFile: '/etc/knudge/tls/tls.key',
      },
    });
  });

  it('sends no heartbeats where the profile asks for none', () => {
    const { heartbeatInterval: _, ...quiet } = profile;
    assert.ok(!frpcConfig(input({}, { profile: quiet })).includes('heartbeat'));
  });

  it('always verifies the server, and opens no file or command, and no port but that of its admin API, to its own Pod alone', () => {
    const rest = { namespace: 'shop', name: 'web', uid: 'u', profile };
    for (const serviceType of ['http', 'tcp', 'udp'] as const) {
      for (const security of [tcpSpec.security, mtls.security]) {
        const text = frpcConfig({ ...rest, spec: { serviceType, security, expose: { domains: ['a.example'] } } });
        assert.match(text, /"trustedCaFile": "\/etc\/knudge\/config\/server-ca.crt"/);
        assert.deepEqual(text.match(/"webServer"[^,]*/g), ['"webServer": { "addr": "127.0.0.1"']);
        assert.doesNotMatch(text, /store|includes|plugin|exec|visitors|proxyURL|dnsServer|"token":|a certificate/);
      }
    }
  });
});

const base = { name: 'shop.web', localIP: '127.0.0.1', localPort: 18000 };

describe('the proxy', () => {
  for (const [sentence, spec, proxies] of [
    ['of a tcp service without a port leaves it to the server', { expose: {} }, [{ ...base, type: 'tcp' }]],
    [
      'of a udp service has its port',
      { serviceType: 'udp', expose: { remotePort: 53 } },
      [{ ...base, type: 'udp', remotePort: 53 }],
    ],
    [
      'of an http service has its names and paths, sorted and once each',
      {
        serviceType: 'http',
        expose: { domains: ['b.example', 'a.example', 'b.example'], subdomain: 'web', locations: ['/b', '/a'] },
      },
      [{ ...base, type: 'http', customDomains: ['a.example', 'b.example'], subdomain: 'web', locations: ['/a', '/b'] }],
    ],
    [
      'of an http service may have a subdomain only',
      { serviceType: 'http', expose: { subdomain: 'web' } },
      [{ ...base, type: 'http', subdomain: 'web' }],
    ],
    [
      'of an http service without names is none: the service is inside the cluster only',
      { serviceType: 'http', expose: {} },
      [],
    ],
  ] as const) {
    it(sentence, () => assert.deepEqual(proxiesOf(spec), proxies));
  }

  for (const [serviceType, proxies] of [
    ['tcp', [{ ...base, type: 'tcp' }]],
    ['udp', [{ ...base, type: 'udp' }]],
    ['http', []],
  ] as const) {
    it(`of a ${serviceType} service that exposes nothing`, () => {
      const { expose: _, ...rest } = tcpSpec;
      const config: unknown = JSON.parse(frpcConfig({ ...input(), spec: { ...rest, serviceType } }));
      assert.deepEqual((config as { proxies: unknown }).proxies, proxies);
    });
  }
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('{', '}', '{{', '"', '\\', '\n', '\u2028', '\0', '.Envs.HOME', '\\u007b', '[common]', '💥'),
  }),
);

describe('the text', () => {
  it('has no brace that a string brought, so no template but its own, and means what was meant', () => {
    fc.assert(
      fc.property(hostile, hostile, (domain, serverName) => {
        const text = frpcConfig(
          input({ serviceType: 'http', expose: { domains: [domain] } }, { profile: { ...profile, serverName } }),
        );
        const [admin = '', ...others] = text.split('\n').filter((line) => line.includes('{{'));
        assert.match(admin, /^ {2}"webServer": \{ [^{]*"\{\{ \.Envs\.KNUDGE_POD_UID \}\}" \},$/);
        assert.deepEqual(others, []);
        const config: unknown = JSON.parse(text);
        assert.deepEqual((config as { proxies: { customDomains: string[] }[] }).proxies[0]?.customDomains, [domain]);
        assert.equal(text.split('{').length - 1, 10 + '{{{'.length, 'each brace opens an object of ours');
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same for the same input, in whatever order its fields and lists come', () => {
    const expose = { domains: ['a.example', 'b.example'], locations: ['/', '/b'], subdomain: 'web' };
    const turned = { subdomain: 'web', locations: ['/b', '/'], domains: ['b.example', 'a.example'] };
    const one = frpcConfig(input({ serviceType: 'http', expose }));
    const reversed = Object.fromEntries(Object.entries(input({ serviceType: 'http', expose: turned })).reverse());
    assert.equal(frpcConfig(reversed as unknown as FrpcInput), one);
  });

  it('cannot be made of half a surrogate pair', () => {
    const broken = input({ serviceType: 'http', expose: { domains: ['a\ud800'] } });
    assert.throws(
      () => frpcConfig(broken),
      (error) =>
        error instanceof KnudgeError &&
        error.code === 'invalid-object' &&
        error.message.includes('is not Unicode text'),
    );
  });
});
