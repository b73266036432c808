import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { strangenessOf } from '../../gate/strangeness.ts';
import type { DistributedServiceSpec } from '../../types.ts';

type Spec = Pick<DistributedServiceSpec, 'serviceType' | 'expose'>;
type Row = readonly [sentence: string, spec: Spec, proxy: Readonly<Record<string, unknown>>, said: RegExp | undefined];

const tcp: Spec = { serviceType: 'tcp', expose: { remotePort: 7001 } };
const http: Spec = {
  serviceType: 'http',
  expose: { domains: ['b.example.com', 'a.example.com'], subdomain: 'web', locations: ['/x', '/api'] },
};
const ownTcp = { proxy_name: 'shop.web', proxy_type: 'tcp', remote_port: 7001 };
const ownHttp = {
  proxy_name: 'shop.web',
  proxy_type: 'http',
  custom_domains: ['a.example.com', 'b.example.com'],
  subdomain: 'web',
  locations: ['/api', '/x'],
};

const rows: readonly Row[] = [
  ['its own port', tcp, ownTcp, undefined],
  ['its own names and paths, in any order', http, { ...ownHttp, locations: ['/x', '/api'] }, undefined],
  [
    'a port that the server is to choose',
    { serviceType: 'udp' },
    { proxy_name: 'shop.web', proxy_type: 'udp' },
    undefined,
  ],
  [
    'what concerns the way alone',
    tcp,
    { ...ownTcp, use_compression: true, metas: { a: 'b' }, bandwidth_limit: '1MB' },
    undefined,
  ],
  ['fields that are empty', tcp, { ...ownTcp, group: '', headers: {}, allow_users: [], sk: null }, undefined],
  [
    "another service's name",
    tcp,
    { ...ownTcp, proxy_name: 'shop.api' },
    /^proxy_name "shop.api" is not that of shop\/web, which is "shop.web"$/,
  ],
  ['its name with something before it', tcp, { ...ownTcp, proxy_name: 'x.shop.web' }, /^proxy_name/],
  ['another type', tcp, { ...ownTcp, proxy_type: 'stcp' }, /^proxy_type "stcp"/],
  [
    "another's port",
    tcp,
    { ...ownTcp, remote_port: 7002 },
    /^remote_port 7002 is not that of shop\/web, which is 7001$/,
  ],
  ['any port, where it has one', tcp, { ...ownTcp, remote_port: 0 }, /^remote_port \(none\)/],
  ['a port, where the server is to choose', { serviceType: 'tcp' }, ownTcp, /^remote_port 7001 .* which is \(none\)$/],
  ['a port as text', tcp, { ...ownTcp, remote_port: '7001' }, /^remote_port "7001"/],
  [
    'one domain more',
    http,
    { ...ownHttp, custom_domains: [...ownHttp.custom_domains, 'evil.example.com'] },
    /^custom_domains .*evil/,
  ],
  ['another subdomain', http, { ...ownHttp, subdomain: 'api' }, /^subdomain "api"/],
  ['all paths, where it has some', http, { ...ownHttp, locations: [] }, /^locations \(none\)/],
  ['a group of clients', tcp, { ...ownTcp, group: 'web', group_key: 'guess' }, /^group is set/],
  ['a route by user', http, { ...ownHttp, route_by_http_user: 'admin' }, /^route_by_http_user is set/],
  ['a field that this page does not know', tcp, { ...ownTcp, someday: 1 }, /^someday is set/],
  ['anything, where nothing is exposed', { serviceType: 'http' }, ownHttp, /^shop\/web exposes nothing$/],
];

describe('a proxy is let in with', () => {
  for (const [sentence, spec, proxy, said] of rows) {
    it(`${sentence}: ${said === undefined ? 'yes' : 'no'}`, () => {
      const strange = strangenessOf(new Map(Object.entries(proxy)), { namespace: 'shop', name: 'web', spec });
      if (said === undefined) assert.equal(strange, undefined);
      else assert.match(strange ?? '', said);
    });
  }

  it('names of any length: the sentence stays short', () => {
    const proxy = new Map(Object.entries({ ...ownTcp, proxy_name: 'x'.repeat(10_000) }));
    assert.ok((strangenessOf(proxy, { namespace: 'shop', name: 'web', spec: tcp }) ?? '').length < 300);
  });
});
