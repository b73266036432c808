/** What the files of one folder may import besides each other. */
export interface Direction {
  readonly folder: string;
  readonly may: readonly string[];
  /** Packages and Node's modules; `node:*` stands for every module of Node. */
  readonly packages: readonly string[];
  /** Said to whoever imports something else. */
  readonly because: string;
}

/**
 * Who may import what: the architecture. A folder under src that has no row may import nothing; src/main.ts may import
 * everything. After a change: `npm run fix`, which writes imports.json for the linter.
 */
export const directions: readonly Direction[] = [
  {
    folder: 'src/domain',
    may: [],
    packages: [],
    because: 'these are the nouns that all other folders share, so they hang on nothing.',
  },
  {
    folder: 'src/wire',
    may: ['src/domain'],
    packages: ['cloudevents'],
    because: 'it turns bytes into values and back, and knows neither a server nor a cluster.',
  },
  {
    folder: 'src/parents',
    may: ['src/domain'],
    packages: [],
    because: 'it says which parents a change concerns; what it reads comes in as a Reader.',
  },
  {
    folder: 'src/resync',
    may: ['src/domain'],
    packages: [],
    because: 'it pages through parents; what it reads and sends with comes in as Reader and Sender.',
  },
  {
    folder: 'src/decide',
    may: ['src/domain'],
    packages: [],
    because: 'a decision is a pure function: what was observed, the clock and randomness come in as arguments.',
  },
  {
    folder: 'src/certificates',
    may: ['src/domain'],
    packages: ['@peculiar/x509', 'reflect-metadata', 'node:crypto'],
    because: 'it is loaded only when a certificate is due, so nothing else may come along with it.',
  },
  {
    folder: 'src/kube',
    may: ['src/domain'],
    packages: ['@kubernetes/client-node', 'yaml', 'node:*'],
    because: 'it talks to the API server for everybody and knows nothing of what is done with the answers.',
  },
  {
    folder: 'src/tunnel',
    may: ['src/domain'],
    packages: ['node:http'],
    because: 'it asks the Envoy of a tunnel one question, and knows nothing of what is done with the answer.',
  },
  {
    folder: 'src/reconcile',
    may: ['src/domain', 'src/decide'],
    packages: [],
    because: 'the cluster comes in as Reader and Writer and certificates as Issuer, so that a test can be the cluster.',
  },
  {
    folder: 'src/gate',
    may: ['src/domain', 'src/decide'],
    packages: [],
    because: 'it translates questions of frps for a decision, and the decision knows the answer.',
  },
  {
    folder: 'src/event-log',
    may: ['src/domain'],
    packages: ['node:sqlite', 'node:worker_threads', 'node:crypto', 'pg'],
    because: 'it stores events and knows neither who sends nor who reads them.',
  },
  {
    folder: 'src/replay',
    may: ['src/domain', 'src/wire'],
    packages: [],
    because: 'it sends again what was recorded; where that is, who takes it and the clock come in.',
  },
  {
    folder: 'src/log-api',
    may: ['src/domain', 'src/replay'],
    packages: [],
    because:
      'it answers what is asked of the event log, and asks it; the log, the Broker, who may ask and with which token come in.',
  },
  {
    folder: 'src/broker',
    may: ['src/domain', 'src/wire'],
    packages: ['node:*'],
    because: 'it sends one event to the Broker, whoever asks for it.',
  },
  {
    folder: 'functions',
    may: ['src/domain', 'src/parents', 'src/reconcile', 'src/resync', 'src/gate'],
    packages: [],
    because:
      'a function is a dozen lines that name its parents; clients, servers and formats come in through its context.',
  },
  {
    folder: 'src/server',
    may: ['src/domain', 'src/wire'],
    packages: ['pino', 'jose', '@opentelemetry/api', 'node:*'],
    because: 'it serves HTTP and takes the handler of events as an argument.',
  },
  {
    folder: 'src/react',
    may: ['src/domain', 'src/kube', 'src/reconcile', 'src/resync', 'src/server'],
    packages: ['node:crypto'],
    because: 'it puts a function together from parts; clock, chance, keys and the network come in.',
  },
  {
    folder: 'src/record',
    may: [
      'src/domain',
      'src/broker',
      'src/event-log',
      'src/kube',
      'src/log-api',
      'src/react',
      'src/replay',
      'src/server',
    ],
    packages: [],
    because: 'it puts the process of the event log together, and nothing else may come along with that.',
  },
  {
    folder: 'src/source',
    may: ['src/domain', 'src/wire', 'src/kube', 'src/broker', 'src/server'],
    packages: ['node:crypto', 'node:fs', 'node:http', 'node:https', 'node:sqlite', 'node:tls'],
    because: 'it tells a Broker of what happens in a cluster, and knows nothing of what functions do about it.',
  },
  {
    folder: 'src/local',
    may: [
      'src/domain',
      'src/wire',
      'src/kube',
      'src/broker',
      'src/source',
      'src/event-log',
      'src/certificates',
      'src/server',
      'src/local/api',
      'functions',
    ],
    packages: ['croner', 'node:*'],
    because: 'local mode runs the parts of a deployment and decides nothing itself.',
  },
  {
    folder: 'src/local/api',
    may: ['src/domain'],
    packages: ['ajv', '@marcbachmann/cel-js', 'yaml', 'node:*'],
    because: 'the embedded API server stands in for the real one, which knows nothing of Knudge either.',
  },
  {
    folder: 'src/doctor',
    may: ['src/domain', 'src/kube', 'src/parents'],
    packages: ['node:net'],
    because:
      'a check is a pure judgement over what was read; who asks gives the manifests and the way into the cluster.',
  },
  {
    folder: 'src/console',
    may: ['src/domain', 'src/wire', 'src/kube', 'src/event-log'],
    packages: ['express'],
    because: 'the console shows what is there and changes nothing.',
  },
  {
    folder: 'src/cli',
    may: [
      'src/domain',
      'src/wire',
      'src/kube',
      'src/broker',
      'src/event-log',
      'src/log-api',
      'src/local',
      'src/doctor',
      'src/replay',
      'src/console',
    ],
    packages: ['commander', 'node:*'],
    because: 'a subcommand puts parts together that have their logic elsewhere.',
  },
];
