import type { Direction } from '../direction.ts';

/** What Knudge makes of the engine: its resources, its functions and its command line. */
export const app: readonly Direction[] = [
  {
    folder: 'resources/managed',
    may: [
      'packages/controller/domain',
      'packages/controller/decide',
      'packages/controller/parents',
      'resources/distributed-service',
      'resources/message',
    ],
    packages: [],
    because: 'it is the list of what Knudge manages.',
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
    may: ['packages/controller/domain', 'packages/controller/decide'],
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
    folder: 'resources/distributed-service/issuing',
    may: ['packages/controller/domain'],
    packages: ['@peculiar/x509', 'reflect-metadata', 'node:crypto'],
    because: 'it is loaded only when a certificate is due, so nothing else may come along with it.',
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
      'packages/controller/parents',
      'packages/controller/reconcile',
      'packages/controller/resync',
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
      'cli/cluster',
      'cli/doctor',
      'packages/event-log/store',
      'packages/event-log/api',
      'packages/event-log/replay',
      'packages/mesh',
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
      'resources/managed',
      'packages/controller/domain',
      'packages/controller/cluster',
      'packages/controller/parents',
      'resources/distributed-service/frp',
      'resources/distributed-service/parents',
    ],
    packages: ['node:net'],
    because:
      'a check is a pure judgement over what was read; the command gives it the manifests and the way into the cluster.',
  },
];
