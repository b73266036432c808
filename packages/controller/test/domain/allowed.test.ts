import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allowsDomain, allowsPort, isDomainPattern, isPortRange, parseAllowed } from '../../domain/allowed.ts';

const domains = parseAllowed('team-a: a.example.com, *.a.example.com\n\n *: *.apps.example.com\n', isDomainPattern);
const ports = parseAllowed('team-a: 6000-6002, 7000', isPortRange);

describe('which namespaces may have what', () => {
  const rows: readonly [namespace: string, domain: string, may: boolean][] = [
    ['team-a', 'a.example.com', true],
    ['team-a', 'x.y.a.example.com', true],
    ['team-a', '*.a.example.com', true],
    ['team-a', '*.x.a.example.com', true],
    ['team-a', 'xa.example.com', false],
    ['team-a', '*.example.com', false],
    ['team-a', 'x.apps.example.com', false],
    ['team-b', 'x.apps.example.com', true],
    ['team-b', 'apps.example.com', false],
    ['team-b', 'a.example.com', false],
  ];
  for (const [namespace, domain, may] of rows) {
    it(`${namespace} ${may ? 'may' : 'may not'} have ${domain}`, () =>
      assert.equal(allowsDomain(domains, namespace, domain), may));
  }

  it('ports are in their ranges, and a namespace without a line has none', () => {
    const mine = [5999, 6000, 6002, 6003, 7000].map((port) => allowsPort(ports, 'team-a', port));
    assert.deepEqual(mine, [false, true, true, false, true]);
    assert.equal(allowsPort(ports, 'team-b', 7000), false);
  });

  it('all may have all where nothing is said', () => {
    assert.ok(allowsDomain(undefined, 'x', 'y.example.com') && allowsPort(undefined, 'x', 1));
  });
});

describe('what makes no sense is refused', () => {
  for (const text of ['team-a', 'team-a:', 'a: x..y', 'a: *', 'A: x.y', 'a: x.y\na: z.y', 'a: x.y,', 'a: *.*.y'])
    it(JSON.stringify(text), () => assert.equal(parseAllowed(text, isDomainPattern), undefined));
  for (const text of ['a: 0', 'a: 65536', 'a: 2-1', 'a: 1-2-3', 'a: x', 'a: 1-', 'a: -1', 'a: 1e3'])
    it(JSON.stringify(text), () => assert.equal(parseAllowed(text, isPortRange), undefined));
});
