import type { Direction } from '../direction.ts';

/** What runs beside the engine, or stands in for a cluster. */
export const packages: readonly Direction[] = [
  {
    folder: 'packages/source',
    may: [
      'packages/controller/domain',
      'packages/controller/wire',
      'packages/controller/cluster',
      'packages/controller/broker',
      'packages/controller/server',
    ],
    packages: ['node:crypto', 'node:fs', 'node:http', 'node:https', 'node:sqlite', 'node:tls'],
    because:
      'it sends a Broker an event for each change in a cluster, and knows nothing of what functions do about it.',
  },
  {
    folder: 'packages/event-log/store',
    may: ['packages/controller/domain'],
    packages: ['node:sqlite', 'node:worker_threads', 'node:crypto', 'pg'],
    because: 'it stores events and knows neither who sends nor who reads them.',
  },
  {
    folder: 'packages/event-log/replay',
    may: ['packages/controller/domain', 'packages/controller/wire'],
    packages: [],
    because: 'it sends recorded events again; where they go, who takes them and the clock come in.',
  },
  {
    folder: 'packages/event-log/api',
    may: ['packages/controller/domain', 'packages/event-log/replay'],
    packages: [],
    because: 'it answers questions about the event log; the log, the Broker, who may ask and with which token come in.',
  },
  {
    folder: 'packages/event-log/record',
    may: [
      'packages/controller/domain',
      'packages/controller/broker',
      'packages/controller/cluster',
      'packages/controller/react',
      'packages/controller/server',
      'packages/event-log/store',
      'packages/event-log/api',
      'packages/event-log/replay',
    ],
    packages: [],
    because: 'it puts the process of the event log together, and nothing else may come along with that.',
  },
  {
    folder: 'packages/kube-api',
    may: ['packages/controller/domain'],
    packages: ['ajv', '@marcbachmann/cel-js', 'yaml', 'node:*'],
    because: 'it stands in for the real API server, which knows nothing of Knudge either.',
  },
  {
    folder: 'packages/mesh',
    may: [
      'packages/controller/domain',
      'packages/controller/wire',
      'packages/controller/cluster',
      'packages/controller/broker',
      'packages/controller/server',
      'packages/source',
      'packages/event-log/store',
      'packages/kube-api',
      'resources/distributed-service/issuing',
      'functions',
    ],
    packages: ['croner', 'node:*'],
    because: 'it runs the parts of a deployment on one machine and decides nothing itself.',
  },
];
