import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './arguments.ts';
import { type Burst, measureBurst } from './mesh/burst.ts';
import { type Cold, forget, measureCold } from './mesh/cold.ts';
import { connect, type Kube } from './mesh/kube.ts';
import { type Latency, measureLatency } from './mesh/latency.ts';
import { type Memory, measureMemory } from './mesh/memory.ts';
import { namespace, paths } from './mesh/objects.ts';
import { bareRows, burstRows, coldRows, latencyRows, memoryRows, throughputRows } from './mesh/rows.ts';
import { type BrokerClass, type RunningMesh, startMesh, untilQuiet } from './mesh/running-mesh.ts';
import { measureThroughput, type Throughput } from './mesh/throughput.ts';
import { report } from './report.ts';
import { type Running, startServer } from './running.ts';

/** The figures of one mesh that was started anew. */
interface Round {
  readonly throughput: Throughput;
  readonly latency: Latency;
  readonly burst: Burst;
}

/** A round has hundreds of events of each kind, so fewer rounds are enough. */
const args = readArguments(process.argv.slice(2), 5);
const size = args.smoke
  ? { warmUp: 50, events: 100, messages: 5, burst: 30, pods: 100, services: 5, cold: 1 }
  : { warmUp: 500, events: 2000, messages: 100, burst: 1000, pods: 10_000, services: 1000, cold: 10 };
const bare = await startServer([join(import.meta.dirname, 'contestants/bare.ts')], { PATH: process.env['PATH'] ?? '' });
try {
  const kafka: Round[] = [];
  const inMemory: Round[] = [];
  for (let round = 0; round < args.rounds; round += 1) {
    kafka.push(await inMesh('Kafka', [], measureRound));
    inMemory.push(await inMesh('MTChannelBasedBroker', [], measureRound));
  }
  const cold = await inMesh('Kafka', ['--idle', '0.2'], measureColds);
  const memory = await measureMemories(bare);
  report(
    'The mesh of `npm start`: real processes from the change in the API to the answer of the function',
    [
      ...throughputRows(
        'Kafka',
        kafka.map(({ throughput }) => throughput),
      ),
      ...throughputRows(
        'in memory',
        inMemory.map(({ throughput }) => throughput),
      ),
      ...bareRows([...kafka, ...inMemory].map(({ throughput }) => throughput)),
      ...latencyRows(kafka.map(({ latency }) => latency)),
      ...burstRows(
        'Kafka',
        kafka.map(({ burst }) => burst),
      ),
      ...burstRows(
        'in memory',
        inMemory.map(({ burst }) => burst),
      ),
      ...coldRows(cold),
      ...memoryRows(memory),
    ],
    args,
  );
} finally {
  await bare.stop();
}

/** In a mesh of its own, with a namespace to write into. */
async function inMesh<Result>(
  broker: BrokerClass,
  options: readonly string[],
  measure: (mesh: RunningMesh, kube: Kube) => Promise<Result>,
): Promise<Result> {
  const mesh = await startMesh(broker, ...options);
  const kube = connect(mesh.state);
  try {
    await kube.call({
      method: 'POST',
      path: paths.namespaces,
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    });
    await untilQuiet(mesh, 500);
    return await measure(mesh, kube);
  } finally {
    kube.close();
    await mesh.stop();
  }
}

async function measureRound(mesh: RunningMesh, kube: Kube): Promise<Round> {
  const parts = { mesh, kube, barePort: bare.port };
  // Lets V8 settle, and wakes every function that takes part.
  await measureThroughput({ ...parts, events: size.warmUp });
  await measureLatency(mesh, kube, { count: 3, prefix: 'warm' });
  const throughput = await measureThroughput({ ...parts, events: size.events });
  const latency = await measureLatency(mesh, kube, { count: size.messages, prefix: 'slow' });
  const burst = await measureBurst(mesh, kube, size.burst);
  return { throughput, latency, burst };
}

async function measureColds(mesh: RunningMesh): Promise<readonly Cold[]> {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'knudge-bench-cache-'));
  // The first ones fill the caches.
  const all: Cold[] = [];
  for (let start = 0; start < size.cold + 2; start += 1) all.push(await measureCold(mesh, cacheFolder));
  forget(cacheFolder);
  return all.slice(2);
}

async function measureMemories({ pid: barePid }: Running): Promise<Memory> {
  const { pods, services } = size;
  return inMesh('Kafka', ['--idle', '1'], (mesh, kube) => measureMemory({ mesh, kube, barePid, pods, services }));
}
