import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { KnudgeError } from '../../domain/errors.ts';
import { redact } from '../../server/redact.ts';
import { createTrace } from '../../server/trace.ts';
import { collectLog } from './start.ts';

const pem = '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----';

suite('the log does not tell', () => {
  const rows: readonly [name: string, fields: object][] = [
    ['an authorization header', { headers: { authorization: 'Basic hunter2' } }],
    ['an authorization header in another spelling', { request: { Authorization: 'hunter2' } }],
    ['a cookie', { headers: { 'Set-Cookie': 'hunter2' } }],
    ['a token', { user: { token: 'hunter2' } }],
    ['a password', { password: 'hunter2' }],
    ['a bearer token inside a text', { text: 'sent "Bearer hunter2", got 401' }],
    ['a private key anywhere', { a: [{ b: { certificate: 'x', key: pem } }] }],
    ['the data of a Secret', { object: { kind: 'Secret', data: { a: 'hunter2' }, stringData: { b: 'hunter2' } } }],
    ['a Secret in a list', { items: [{ kind: 'ConfigMap' }, { kind: 'Secret', data: { a: 'hunter2' } }] }],
    [
      'a Secret in an annotation of kubectl',
      {
        metadata: {
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration': '{"kind":"Secret","data":{"a":"hunter2"}}',
          },
        },
      },
    ],
    ['data that is a text', { kind: 'Secret', data: 'hunter2' }],
    [
      'a cause of an error',
      {
        err: new Error('a', {
          cause: new KnudgeError('unauthorized', 'b', { cause: new Error(`Bearer hunter2 ${pem}`) }),
        }),
      },
    ],
    [
      'more of an error than it must',
      { err: Object.assign(new Error('a'), { request: { headers: { 'x-key': 'hunter2' } } }) },
    ],
  ];
  for (const [name, fields] of rows) {
    test(name, () => {
      const { log, lines } = collectLog();
      const before = structuredClone('err' in fields ? {} : fields);
      log.info(fields, 'a line');
      assert.equal(lines.length, 1);
      assert.ok(!JSON.stringify(lines).includes('hunter2'), JSON.stringify(lines));
      if (!('err' in fields)) assert.deepEqual(fields, before);
    });
  }
});

suite('redacting', () => {
  test('gives a value without secrets back as it is', () => {
    const harmless = { kind: 'ConfigMap', data: { a: 'b' }, list: [1, null, { c: 'd' }] };
    assert.equal(redact(harmless), harmless);
  });
  test('ends in a cycle', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    assert.doesNotThrow(() => JSON.stringify(redact(cycle)));
  });
});

suite('a trace', () => {
  test('logs each step with its duration, and its fields without secrets', () => {
    const { log, lines } = collectLog({ DEBUG_MODE: 'true' });
    const times = [100, 101.5, 131.5];
    const trace = createTrace(log, () => times.shift() ?? Number.NaN);
    trace('observe', { spec: { text: 'hi' } });
    trace('carry-out', { object: { kind: 'Secret', data: { a: 'hunter2' } } });
    assert.deepEqual(
      lines.map(({ level, msg, step, ms }) => ({ level, msg, step, ms })),
      [
        { level: 'debug', msg: 'step', step: 'observe', ms: 1.5 },
        { level: 'debug', msg: 'step', step: 'carry-out', ms: 30 },
      ],
    );
    assert.deepEqual(lines[0]?.['spec'], { text: 'hi' });
    assert.ok(!JSON.stringify(lines).includes('hunter2'));
  });
  test('does nothing without DEBUG_MODE, not even look at the clock', () => {
    const { log, lines } = collectLog();
    createTrace(log, () => assert.fail('asked for the time'))('observe', {});
    assert.equal(lines.length, 0);
  });
});

test('a line has its level as a word, a time people can read, and the Knative Service', () => {
  const { log, lines } = collectLog({ K_SERVICE: 'pod-changed', K_REVISION: 'pod-changed-00001' });
  log.warn('careful');
  const { time, ...line } = lines[0] ?? {};
  assert.match(String(time), /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(line, { level: 'warn', service: 'pod-changed', revision: 'pod-changed-00001', msg: 'careful' });
});
