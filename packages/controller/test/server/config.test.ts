import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { integer, oneOf } from '../../server/forms.ts';

test('an empty environment gives the defaults', () => {
  assert.deepEqual(readConfig({}), {
    port: 8080,
    listenAddress: '',
    debug: false,
    logLevel: 'info',
    bodyLimitBytes: 2_097_152,
    controllerNamespace: 'knudge',
    watchNamespace: '',
    apiTimeoutSeconds: 5,
    handlerDeadlineSeconds: 9,
    shutdownGraceSeconds: 30,
    apiServerUrl: '',
    apiServerToken: '',
    sink: '',
    sinkTokenFile: '',
    sinkCa: '',
    reportDeliveries: 'none',
    overrides: {},
    sourceFile: '/var/lib/knudge/source.db',
    sourceLease: '',
    eventLog: '/var/lib/knudge/events.db',
    databaseUrl: '',
    eventLogDays: 30,
    eventLogBytes: 1_073_741_824,
    eventLogSleeps: false,
    isInCluster: false,
    own: {},
    service: 'knudge',
    revision: '',
  });
});

test('an empty variable counts as not set', () =>
  assert.deepEqual(readConfig({ PORT: '', LOG_LEVEL: '' }), readConfig({})));

test('the address of a database is not repeated: it holds a password', () => {
  const wrong = { DATABASE_URL: 'mysql://a:hunter2@b/c' };
  assert.throws(
    () => readConfig(wrong),
    /wrong: DATABASE_URL must be an address with postgres:\/\/ or postgresql:\/\/$/,
  );
});

suite('a variable is taken', () => {
  const rows: readonly [name: string, env: Record<string, string>, want: object][] = [
    ['any free port', { PORT: '0' }, { port: 0 }],
    ['the highest port', { PORT: '65535' }, { port: 65_535 }],
    ['loopback', { LISTEN_ADDRESS: '127.0.0.1' }, { listenAddress: '127.0.0.1' }],
    ['debug raises the level', { DEBUG_MODE: 'true' }, { debug: true, logLevel: 'debug' }],
    ['debug does not lower it', { DEBUG_MODE: 'true', LOG_LEVEL: 'trace' }, { logLevel: 'trace' }],
    ['debug wins over a quieter level', { DEBUG_MODE: 'true', LOG_LEVEL: 'error' }, { logLevel: 'debug' }],
    ['a level alone', { LOG_LEVEL: 'warn' }, { debug: false, logLevel: 'warn' }],
    ['a body limit', { BODY_LIMIT_BYTES: '1024' }, { bodyLimitBytes: 1024 }],
    ['a namespace', { CONTROLLER_NAMESPACE: 'frp-system' }, { controllerNamespace: 'frp-system' }],
    [
      'times',
      { API_TIMEOUT_SECONDS: '3', HANDLER_DEADLINE_SECONDS: '8', SHUTDOWN_GRACE_SECONDS: '7' },
      { apiTimeoutSeconds: 3, handlerDeadlineSeconds: 8, shutdownGraceSeconds: 7 },
    ],
    [
      'addresses',
      { API_SERVER_URL: 'http://127.0.0.1:8001', API_SERVER_TOKEN: 't', K_SINK: 'https://broker.example.com/a/b' },
      { apiServerUrl: 'http://127.0.0.1:8001', apiServerToken: 't', sink: 'https://broker.example.com/a/b' },
    ],
    [
      'a place for the event log, and its limits',
      { EVENT_LOG: 'e.db', DATABASE_URL: 'postgres://a:b@c/d', EVENT_LOG_DAYS: '7', EVENT_LOG_BYTES: '2097152' },
      { eventLog: 'e.db', databaseUrl: 'postgres://a:b@c/d', eventLogDays: 7, eventLogBytes: 2_097_152 },
    ],
    [
      'what Knative gives',
      { K_SERVICE: 'pod-changed', K_REVISION: 'pod-changed-00001' },
      { service: 'pod-changed', revision: 'pod-changed-00001' },
    ],
  ];
  for (const [name, env, want] of rows) {
    test(name, () => assert.deepEqual({ ...readConfig(env), ...want }, readConfig(env)));
  }
});

suite('a wrong variable is named', () => {
  const rows: readonly [variable: string, value: string][] = [
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['PORT', '0x50'],
    ['PORT', '1e3'],
    ['PORT', ' 80'],
    ['DEBUG_MODE', 'yes'],
    ['DEBUG_MODE', 'TRUE'],
    ['LISTEN_ADDRESS', 'localhost'],
    ['LOG_LEVEL', 'verbose'],
    ['LOG_LEVEL', 'constructor'],
    ['BODY_LIMIT_BYTES', '10'],
    ['BODY_LIMIT_BYTES', '2MiB'],
    ['CONTROLLER_NAMESPACE', 'Knudge'],
    ['CONTROLLER_NAMESPACE', '../x'],
    ['API_TIMEOUT_SECONDS', '0'],
    ['API_TIMEOUT_SECONDS', 'Infinity'],
    ['HANDLER_DEADLINE_SECONDS', '2.5'],
    ['SHUTDOWN_GRACE_SECONDS', '601'],
    ['API_SERVER_URL', '127.0.0.1:8001'],
    ['API_SERVER_URL', 'https://127.0.0.1:8001'],
    ['K_SINK', 'broker'],
    ['K_SINK', 'file:///etc/passwd'],
  ];
  for (const [variable, value] of rows) {
    test(`${variable}=${value}`, () => {
      assert.throws(
        () => readConfig({ [variable]: value }),
        (thrown: unknown) => {
          const { message } = thrown as Error;
          return message.includes(variable) && message.includes(JSON.stringify(value)) && message.includes('must be');
        },
      );
    });
  }
  test('and all of them at once', () => {
    assert.throws(() => readConfig({ PORT: 'x', DEBUG_MODE: 'x', LOG_LEVEL: 'x' }), /DEBUG_MODE.*LOG_LEVEL.*PORT/);
  });
});

suite("a controller's own variables", () => {
  const own = {
    TRIES: { default: '3', form: integer(1, 9) },
    COLOR: { default: 'red', form: oneOf(['red', 'blue']) },
  } as const;

  test('have their defaults', () => assert.deepEqual(readConfig({ COLOR: '' }, own).own, { TRIES: 3, COLOR: 'red' }));

  test('are taken', () =>
    assert.deepEqual(readConfig({ TRIES: '5', COLOR: 'blue' }, own).own, { TRIES: 5, COLOR: 'blue' }));

  test('change nothing of the others', () =>
    assert.deepEqual({ ...readConfig({ PORT: '1' }, own), own: {} }, readConfig({ PORT: '1' })));

  test('are named with the others where they are wrong', () => {
    const wrong = { PORT: 'x', TRIES: '10', COLOR: 'green' };
    assert.throws(
      () => readConfig(wrong, own),
      /PORT is "x".*TRIES is "10" and must be a whole number from 1 to 9.*COLOR is "green" and must be one of red, blue/,
    );
  });
});
