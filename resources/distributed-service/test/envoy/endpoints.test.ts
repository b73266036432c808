import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { KnudgeError } from '../../../../packages/controller/domain/errors.ts';
import type { Backend } from '../../envoy/data-plane.ts';
import { endpointsFile } from '../../envoy/endpoints.ts';

interface EndpointsJson {
  readonly version_info: string;
  readonly resources: readonly {
    readonly cluster_name: string;
    readonly endpoints: readonly {
      readonly lb_endpoints: readonly {
        readonly endpoint: {
          readonly address: { readonly socket_address: { readonly address: string; readonly port_value: number } };
        };
        readonly load_balancing_weight: number;
      }[];
    }[];
  }[];
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

function backend(address: string, over: Partial<Backend> = {}): Backend {
  return { address, port: 8080, weight: 1, ready: true, ...over };
}

function read(backends: readonly Backend[]): EndpointsJson {
  return JSON.parse(endpointsFile(backends, hash)) as EndpointsJson;
}

function placesOf(backends: readonly Backend[]): readonly string[] {
  const [first] = read(backends).resources[0]?.endpoints ?? [];
  return (first?.lb_endpoints ?? []).map(({ endpoint, load_balancing_weight }) => {
    const { address, port_value } = endpoint.address.socket_address;
    return `${address} ${String(port_value)} ${String(load_balancing_weight)}`;
  });
}

describe('the endpoints file', () => {
  it('is one assignment with the hash of the list as its version', () => {
    const assignment = {
      '@type': 'type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment',
      cluster_name: 'upstream',
      endpoints: [
        {
          lb_endpoints: [
            {
              endpoint: {
                address: { socket_address: { address: '10.0.0.1', port_value: 8080 } },
                health_check_config: { port_value: 9090 },
              },
              load_balancing_weight: 3,
            },
          ],
        },
      ],
    };
    const file: unknown = JSON.parse(endpointsFile([backend('10.0.0.1', { weight: 3 })], hash, 9090));
    assert.deepEqual(file, { version_info: hash(JSON.stringify(assignment)), resources: [assignment] });
  });

  it('says nothing of a health check port that is not given', () => {
    assert.ok(!endpointsFile([backend('10.0.0.1')], hash).includes('health_check_config'));
  });

  it('with no backend is an assignment without endpoints, which empties the list', () => {
    for (const backends of [[], [backend('10.0.0.1', { ready: false })]]) {
      assert.deepEqual(
        read(backends).resources.map(({ endpoints }) => endpoints),
        [[]],
      );
    }
  });

  for (const [sentence, backends, places] of [
    [
      'sorts by number, not by text',
      ['10.0.0.10', '10.0.0.9', '9.0.0.1'],
      ['9.0.0.1 8080 1', '10.0.0.9 8080 1', '10.0.0.10 8080 1'],
    ],
    ['puts IPv4 first', ['2001:db8::1', '192.168.0.1'], ['192.168.0.1 8080 1', '2001:db8::1 8080 1']],
    ['knows an address in two forms as one', ['2001:db8::1', '2001:DB8:0::1'], ['2001:DB8:0::1 8080 1']],
  ] as const) {
    it(sentence, () => assert.deepEqual(placesOf(backends.map((address) => backend(address))), places));
  }

  it('has a place once, with its greatest weight, and two ports of one address as two places', () => {
    const backends = [
      backend('10.0.0.1', { weight: 2 }),
      backend('10.0.0.1', { weight: 5 }),
      backend('10.0.0.1', { port: 80 }),
      backend('10.0.0.2', { ready: false }),
    ];
    assert.deepEqual(placesOf(backends), ['10.0.0.1 80 1', '10.0.0.1 8080 5']);
  });

  it('has at most 256 places, always the same', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      backend(`10.0.${String(index >> 8)}.${String(index & 255)}`),
    );
    const places = placesOf(many.toReversed());
    assert.equal(places.length, 256);
    assert.deepEqual([places[0], places[255]], ['10.0.0.0 8080 1', '10.0.0.255 8080 1']);
  });

  for (const address of ['web', 'web.shop.svc', '10.0.0.1:80', '127.1', '', 'fe80::1%eth0']) {
    it(`is never made with ${JSON.stringify(address)}, for which Envoy would refuse all of it`, () => {
      assert.throws(
        () => endpointsFile([backend(address)], hash),
        (error) =>
          error instanceof KnudgeError && error.code === 'internal' && error.message.includes(JSON.stringify(address)),
      );
    });
  }

  it('is the same whatever the order, and has another version exactly if the list is another', () => {
    const some = fc.array(
      fc.record({
        address: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.1', '::a', '0:0::a', '10.0.0.2')),
        port: fc.constantFrom(80, 8080),
        weight: fc.integer({ min: 1, max: 128 }),
        ready: fc.boolean(),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(some, some, fc.integer(), (one, other, seed) => {
        const shuffled = one.toSorted((a, b) =>
          hash(`${String(seed)} ${JSON.stringify(a)}`) < hash(`${String(seed)} ${JSON.stringify(b)}`) ? -1 : 1,
        );
        assert.equal(endpointsFile(shuffled, hash), endpointsFile(one, hash));
        const same = JSON.stringify(placesOf(one)) === JSON.stringify(placesOf(other));
        assert.equal(read(one).version_info === read(other).version_info, same);
      }),
      { numRuns: 500 },
    );
  });
});
