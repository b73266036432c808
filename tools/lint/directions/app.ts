import type { Direction } from '../direction.ts';

/** What Knudge makes of the engine: its resources, its functions and its command line. */
export const app: readonly Direction[] = [
  {
    folder: 'resources/managed',
    may: [
      'packages/controller/domain',
      'packages/controller/decide',
      'packages/controller/functions',
      'packages/controller/parents',
      'packages/controller/server',
      'packages/issuing',
      'resources/distributed-service',
      'resources/distributed-service/tunnel',
      'resources/message',
    ],
    packages: [],
    because: 'it is the list of what Knudge manages, with what that needs of the environment and the outside.',
  },
  {
    folder: 'resources/message',
    may: ['packages/controller/domain', 'packages/controller/decide'],
    packages: [],
    because:
      'a resource decides what should be there; what was observed, the clock and randomness come in as arguments.',
  },
  {
    folder: 'resources/distributed-service',
    may: ['packages/controller/domain', 'packages/controller/decide', 'packages/issuing'],
    packages: [],
    because:
      'a resource decides what should be there; what was observed, the clock and randomness come in as arguments.',
  },
  {
    folder: 'resources/distributed-service/parents',
    may: [
      'resources/distributed-service',
      'resources/managed',
      'packages/controller/domain',
      'packages/controller/parents',
    ],
    packages: [],
    because: 'it says which services a change concerns; what it reads comes in as a Reader.',
  },
  {
    folder: 'resources/distributed-service/doctor',
    may: [
      'packages/controller/domain',
      'packages/controller/doctor',
      'resources/distributed-service/frp',
      'resources/distributed-service/parents',
    ],
    packages: [],
    because: 'a check is a pure judgement over what was read, which comes in.',
  },
  {
    folder: 'resources/distributed-service/tunnel',
    may: [
      'packages/controller/domain',
      'resources/distributed-service/children',
      'resources/distributed-service/envoy',
    ],
    packages: ['node:http'],
    because: 'it asks the Envoy of a tunnel one question, and does not know what is done with the answer.',
  },
  {
    folder: 'functions',
    may: [
      'resources/managed',
      'packages/controller/domain',
      'packages/controller/functions',
      'packages/controller/parents',
      'packages/controller/resync',
      'resources/distributed-service/doctor',
      'resources/distributed-service/parents',
      'resources/distributed-service/gate',
    ],
    packages: [],
    because:
      'a function is a dozen lines that name its parents; clients, servers and formats come in through its context.',
  },
  {
    folder: 'cli',
    may: [
      'packages/controller/domain',
      'packages/controller/wire',
      'packages/controller/cluster',
      'packages/controller/broker',
      'packages/controller/doctor',
      'cli/cluster',
      'cli/doctor',
      'packages/event-log/store',
      'packages/event-log/api',
      'packages/event-log/replay',
      'packages/generate',
      'packages/image',
      'packages/controller/functions',
      'packages/mesh',
      'packages/start',
    ],
    packages: ['commander', 'node:*'],
    because: 'a subcommand puts parts together that have their logic elsewhere.',
  },
  {
    folder: 'cli/cluster',
    may: ['packages/controller/domain', 'packages/controller/cluster'],
    packages: ['@kubernetes/client-node', 'node:*'],
    because: 'it reaches the Broker and the event log in a cluster from outside of it.',
  },
  {
    folder: 'cli/doctor',
    may: [
      'packages/controller/domain',
      'packages/controller/doctor',
      'packages/controller/cluster',
      'packages/controller/functions',
      'packages/controller/parents',
    ],
    packages: ['node:net'],
    because:
      'a check is a pure judgement over what was read; the command gives it the manifests and the way into the cluster.',
  },
];
