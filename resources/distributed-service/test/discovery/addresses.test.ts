import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { refuseAddress } from '../../discovery/addresses.ts';
import { parseIp } from '../../discovery/ip-address.ts';
import { allowed, refused } from '../addresses.ts';

describe('an address is refused', () => {
  for (const [reason, hosts] of Object.entries(refused)) {
    for (const host of hosts) {
      it(`${JSON.stringify(host).slice(0, 60)}, with a reason (${reason}) and a way out`, () => {
        const sentence = refuseAddress(host) ?? 'allowed';
        assert.ok(sentence.includes(reason), sentence);
        assert.match(sentence, /^this (is|leads) .*: give the address of /);
      });
    }
  }

  it('in more than a hundred forms', () => {
    assert.ok(Object.values(refused).flat().length >= 100);
  });
});

describe('the address of the API server is refused', () => {
  for (const [host, apiServer] of [
    ['10.96.0.1', '10.96.0.1'],
    ['2001:db8:0:0::1', '2001:DB8::1'],
    ['API.example.com', 'api.example.com'],
  ] as const) {
    it(`${host}, where it is ${apiServer}`, () =>
      assert.match(refuseAddress(host, apiServer) ?? '', /is the API server/));
  }

  it('and no other is', () => {
    for (const host of allowed) assert.equal(refuseAddress(host, '10.96.0.1'), undefined);
  });
});

describe('an address is allowed', () => {
  for (const host of allowed) it(host, () => assert.equal(refuseAddress(host), undefined));
});

const pieces = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4Extended(),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefF:.x%'), maxLength: 24 }),
  fc
    .array(fc.constantFrom('0', '00', '1', '255', '256', 'ffff', '::', ':', '.', '127.0.0.1', '64:ff9b', 'fe80'), {
      maxLength: 12,
    })
    .map((some) => some.join('')),
);

describe('an IP address', () => {
  it('is read exactly where Node reads one, zone ids aside', () => {
    const rows = Object.values(refused)
      .flat()
      .concat(allowed)
      .filter((host) => !host.includes('%'));
    for (const host of rows) assert.equal(parseIp(host)?.length ?? 0, { 0: 0, 4: 4, 6: 16 }[isIP(host)], host);
    fc.assert(
      fc.property(pieces, (host) => {
        const version = host.includes('%') ? 0 : isIP(host);
        assert.equal(parseIp(host)?.length, { 0: undefined, 4: 4, 6: 16 }[version]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('has the bytes that Node gives it', () => {
    fc.assert(
      fc.property(fc.ipV6(), (host) => {
        const groups = new URL(`http://[${host}]/`).hostname.slice(1, -1);
        assert.deepEqual(parseIp(host), parseIp(groups));
      }),
    );
    assert.deepEqual(parseIp('1:2:3:4:5:6:10.0.0.255'), [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 10, 0, 0, 255]);
    assert.deepEqual(parseIp('ab01::'), [0xab, 1, ...new Array<number>(14).fill(0)]);
    assert.deepEqual(parseIp('10.0.0.255'), [10, 0, 0, 255]);
  });
});
