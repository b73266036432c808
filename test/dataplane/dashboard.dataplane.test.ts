import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { between, type Expectation, exactly, guessed } from '../prometheus/dashboards/expect.ts';
import { queriesOf } from '../prometheus/dashboards/queries.ts';
import type { Sample } from '../prometheus/server.ts';
import { whyNoPods } from './pod/why-not.ts';
import { bytes, type CountedTraffic, countTraffic, given, slowMs } from './world/counted-traffic.ts';

const skip = whyNoPods() ?? false;
const seconds = 600;
const variables = { namespace: 'shop', service: '.*', __rate_interval: `${String(seconds)}s` };
const queries = queriesOf(['traffic'], variables);
const endings: (() => unknown)[] = [];
let counted: CountedTraffic;

/** The headers of one http request, or of one answer, have fewer bytes. */
const mostHeaders = 700;
const by = ['namespace', 'distributed_service'];

/** What a rate says of all the time. */
const inAll = (samples: readonly Sample[]): readonly Sample[] =>
  samples.map(({ labels, value }) => ({ labels, value: value * seconds }));
const rates =
  (expectation: Expectation): Expectation =>
  (samples) =>
    expectation(inAll(samples));
const only = (service: string, expectation: Expectation): Expectation => {
  return (samples) => expectation(samples.filter(({ labels }) => labels['distributed_service'] === service));
};
const all =
  (...expectations: readonly Expectation[]): Expectation =>
  (samples) => {
    for (const expectation of expectations) expectation(samples);
  };

/** Bytes of the three services, each way; those of http with headers. */
function bytesOf(web: readonly [low: number, high: number], pipe: number, grams: number): Expectation {
  const [low, high] = web;
  return rates(
    all(
      only('web', between(low, high * (1 + guessed))),
      only('pipe', exactly(by, { 'shop pipe': pipe }, guessed)),
      only('grams', exactly(by, { 'shop grams': grams }, guessed)),
    ),
  );
}

const { requests, errors, connections, clients } = given;
const bucket = (time: number): number => [0.5, 1, 2.5, 5, 10, 30].find((bound) => time <= bound) ?? 60;
/** frps names a proxy by namespace and service; it counts a connection of http when that ends, which none here does. */
const atServer = (pipe: number, grams: number): Expectation => {
  const proxies = (samples: readonly Sample[]) => samples.filter(({ labels }) => labels['name'] !== 'shop.web');
  return (samples) => exactly(['name'], { 'shop.pipe': pipe, 'shop.grams': grams })(proxies(samples));
};

const expectations: Readonly<Record<string, () => Expectation>> = {
  'Active backends: {{namespace}}/{{distributed_service}}': () =>
    exactly(by, { 'shop web': 1, 'shop pipe': 1, 'shop grams': 1 }),
  'Backends: {{namespace}}/{{distributed_service}}': () =>
    exactly(by, { 'shop web': 2, 'shop pipe': 1, 'shop grams': 1 }),
  'Requests: {{namespace}}/{{distributed_service}}': () => rates(exactly(by, { 'shop web': requests }, guessed)),
  'Errors: {{namespace}}/{{distributed_service}}': () => rates(exactly(by, { 'shop web': errors }, guessed)),
  'Request p99: {{namespace}}/{{distributed_service}}': () => between(0.25, bucket(counted.slowest)),
  'Connections: {{namespace}}/{{distributed_service}}': () =>
    rates(
      all(
        // frps may keep a connection for the next request.
        only('web', between(0, requests * (1 + guessed))),
        only('pipe', exactly(by, { 'shop pipe': connections }, guessed)),
        only('grams', exactly(by, { 'shop grams': clients }, guessed)),
      ),
    ),
  'Bytes from clients: {{namespace}}/{{distributed_service}}': () =>
    bytesOf([requests * 50, requests * mostHeaders], connections * bytes.sent, clients * bytes.asked),
  'Bytes to clients: {{namespace}}/{{distributed_service}}': () =>
    bytesOf(
      [requests * bytes.answer, requests * (bytes.answer + mostHeaders)],
      connections * (bytes.sent + 'pipe\n'.length),
      clients * bytes.answered,
    ),
  'Published: {{namespace}}/{{distributed_service}}': () =>
    exactly(by, { 'shop web': 1, 'shop pipe': 1, 'shop grams': 1 }),
  'At the FRP server: {{name}}: from clients': () => atServer(connections * bytes.sent, clients * bytes.asked),
  'At the FRP server: {{name}}: to clients': () =>
    atServer(connections * (bytes.sent + 'pipe\n'.length), clients * bytes.answered),
};

describe('what the dashboard of the traffic shows, by a real Prometheus of real tunnels', { skip }, () => {
  before(async () => {
    counted = await countTraffic({ after: (work) => void endings.push(work) });
  });
  after(async () => {
    for (const end of endings.toReversed()) await end();
  });

  it('is expected of every query, and of none that there is not', () => {
    const names = queries.map(({ name }) => name.replace('traffic: ', ''));
    assert.deepEqual(names.toSorted(), Object.keys(expectations).toSorted());
  });

  it('is of requests whose clients got what was meant', () => {
    assert.deepEqual(counted.answers, { 500: errors, 200: requests - errors });
    assert.ok(counted.slowest >= slowMs / 1000);
  });

  for (const { name, expr } of queries) {
    it(`is what was counted: ${name}`, async () => {
      const samples = await counted.prometheus.query(expr);
      expectations[name.replace('traffic: ', '')]?.()(samples);
    });
  }
});
