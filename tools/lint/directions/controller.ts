import type { Direction } from '../direction.ts';

/** The engine: it knows no resource. What one needs of the outside world comes in with its tools. */
export const controller: readonly Direction[] = [
  {
    folder: 'packages/controller/domain',
    may: [],
    packages: [],
    because: 'these are the nouns that all other folders share, so they depend on nothing.',
  },
  {
    folder: 'packages/controller/wire',
    may: ['packages/controller/domain'],
    packages: ['cloudevents'],
    because: 'it turns bytes into values and back, and knows neither a server nor a cluster.',
  },
  {
    folder: 'packages/controller/parents',
    may: ['packages/controller/domain'],
    packages: [],
    because: 'it says which parents a change concerns; what it reads comes in as a Reader.',
  },
  {
    folder: 'packages/controller/resync',
    may: ['packages/controller/domain'],
    packages: [],
    because: 'it pages through parents; what it reads and sends with comes in as Reader and Sender.',
  },
  {
    folder: 'packages/controller/decide',
    may: ['packages/controller/domain'],
    packages: [],
    because: 'a decision is a pure function: what was observed, the clock and randomness come in as arguments.',
  },
  {
    folder: 'packages/controller/cluster',
    may: ['packages/controller/domain'],
    packages: ['@kubernetes/client-node', 'yaml', 'node:*'],
    because: 'it sends requests to the API server for all others and does not know what they do with the answers.',
  },
  {
    folder: 'packages/controller/reconcile',
    may: ['packages/controller/domain', 'packages/controller/decide'],
    packages: [],
    because: 'the cluster comes in as Reader and Writer, so that a test can be the cluster.',
  },
  {
    folder: 'packages/controller/broker',
    may: ['packages/controller/domain', 'packages/controller/wire'],
    packages: ['node:*'],
    because: 'it sends one event to the Broker, and does not know why.',
  },
  {
    folder: 'packages/controller/traces',
    may: ['packages/controller/domain', 'packages/controller/broker'],
    packages: ['node:*'],
    because: 'it sends spans to a collector, and does not know what they are about.',
  },
  {
    folder: 'packages/controller/server',
    may: ['packages/controller/domain', 'packages/controller/wire', 'packages/controller/traces'],
    packages: ['pino', 'jose', 'node:*'],
    because: 'it serves HTTP and takes the handler of events as an argument.',
  },
  {
    folder: 'packages/controller/react',
    may: [
      'packages/controller/domain',
      'packages/controller/decide',
      'packages/controller/cluster',
      'packages/controller/reconcile',
      'packages/controller/resync',
      'packages/controller/server',
    ],
    packages: ['node:crypto'],
    because: 'it puts a function together from parts; clock, chance, keys and the network come in.',
  },
  {
    folder: 'packages/controller/doctor',
    may: ['packages/controller/domain'],
    packages: [],
    because: 'it says what a check finds, for checks of every controller and those that a controller brings.',
  },
  {
    folder: 'packages/controller/functions',
    may: [
      'packages/controller/domain',
      'packages/controller/doctor',
      'packages/controller/decide',
      'packages/controller/parents',
      'packages/controller/cluster',
      'packages/controller/resync',
      'packages/controller/react',
      'packages/controller/server',
    ],
    packages: [],
    because:
      'it has what the functions of every controller share, and what follows from the definition of a controller.',
  },
  {
    folder: 'packages/controller/testing',
    may: ['packages/controller', 'packages/kube-api'],
    packages: ['pino', 'node:*'],
    because: 'tests alone use it: it runs the whole engine against the embedded API server.',
  },
];
