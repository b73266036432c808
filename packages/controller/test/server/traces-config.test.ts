import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readConfig } from '../../server/config.ts';

const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const tracesOf = (env: Readonly<Record<string, string>>) => readConfig({ K_SERVICE: 'message', ...env }).traces;

suite('nothing is traced without an endpoint', () => {
  test('whatever else is there for other programs', () => {
    const others = { OTEL_TRACES_SAMPLER: 'jaeger_remote', OTEL_TRACES_SAMPLER_ARG: 'x', OTEL_SERVICE_NAME: 'shop' };
    assert.equal(tracesOf(others), undefined);
    assert.ok(!('traces' in readConfig(others)));
  });
  test('or with an empty one', () => assert.equal(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }), undefined));
});

test('an endpoint alone gives the defaults', () =>
  assert.deepEqual(tracesOf(base), {
    endpoint: 'http://collector:4318/v1/traces',
    headers: {},
    service: 'message',
    sampler: 'parentbased_always_on',
    ratio: 1,
  }));

suite('a variable is taken', () => {
  const rows: readonly (readonly [what: string, env: Readonly<Record<string, string>>, expected: object])[] = [
    [
      'an endpoint below a path, with a slash at its end',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://o.example.com/otlp/' },
      { endpoint: 'https://o.example.com/otlp/v1/traces' },
    ],
    [
      'an endpoint for traces, as it is',
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://tempo:4318/in' },
      { endpoint: 'http://tempo:4318/in' },
    ],
    ['a name', { OTEL_SERVICE_NAME: 'shop' }, { service: 'shop' }],
    [
      'a sampler with its ratio',
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
      { sampler: 'traceidratio', ratio: 0.25 },
    ],
    ['a ratio without a zero', { OTEL_TRACES_SAMPLER_ARG: '.5' }, { ratio: 0.5 }],
    [
      'headers, percent-encoded, with spaces around and properties after',
      { OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a%3Db%2Cc , x-team = shop ;meta=1,empty=' },
      { headers: { authorization: 'Bearer a=b,c', 'x-team': 'shop', empty: '' } },
    ],
  ];
  for (const [what, env, expected] of rows) {
    test(what, () => assert.deepEqual(tracesOf({ ...base, ...env }), { ...tracesOf(base), ...expected }));
  }
});

suite('a wrong variable is named', () => {
  const rows: readonly (readonly [variable: string, value: string, mustBe: RegExp])[] = [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', /an address with http:\/\/ or https:\/\//],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://collector', /an address with/],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', /one of parentbased_always_on, .*traceidratio/],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', /a number from 0 to 1/],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1', /a number from 0 to 1/],
    ['OTEL_TRACES_SAMPLER_ARG', 'endpoint=http://jaeger', /a number from 0 to 1/],
  ];
  for (const [variable, value, mustBe] of rows) {
    test(`${variable}=${value}`, () => {
      assert.throws(
        () => tracesOf({ ...base, [variable]: value }),
        (thrown: unknown) => {
          const { message } = thrown as Error;
          return message.includes(`${variable} is ${JSON.stringify(value)} and must be`) && mustBe.test(message);
        },
      );
    });
  }
  for (const value of ['authorization', '=x', 'a b=c', 'a=%0Ab', 'a=%', 'a=%C3%A4', ',']) {
    test(`OTEL_EXPORTER_OTLP_HEADERS=${value}, which is not repeated`, () => {
      assert.throws(
        () => tracesOf({ ...base, OTEL_EXPORTER_OTLP_HEADERS: value }),
        /wrong: OTEL_EXPORTER_OTLP_HEADERS must be names and values/,
      );
    });
  }
});
