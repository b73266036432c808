import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { serviceOf } from '../../functions/table.ts';
import { coldStart } from '../cold-start.ts';
import { bytesOf } from '../request.ts';
import { isDelivered, type RunningMesh, untilHops } from './running-mesh.ts';

/** Milliseconds. */
export interface Cold {
  /** From the event at the Broker to the answer of a function that slept. */
  readonly toAnswer: number;
  /** The front's own figure: from its request for a process until that listens. */
  readonly toListening: number;
  /** From the start of a bare server to its first answer. */
  readonly bare: number;
}

const stem = 'pod-changed';
const service = serviceOf(stem);
const preload = join(import.meta.dirname, '../contestants/preload.ts');
const bareServer = join(import.meta.dirname, '../contestants/bare.ts');

/** One cold start of each; the mesh must run with a short `--idle`, and the function asleep. */
export async function measureCold(mesh: RunningMesh, cacheFolder: string): Promise<Cold> {
  const answered = untilHops(mesh, 1, (hop) => isDelivered(hop, stem));
  const asleep = untilHops(mesh, 1, ({ kind, function: name }) => kind === 'slept' && name === service);
  let toListening = Number.NaN;
  const stop = mesh.onHop((hop) => {
    if (isDelivered(hop, stem)) toListening = Number(hop.headers?.['knudge-cold-ms']);
  });
  const began = performance.now();
  await fetch(mesh.state.broker, { method: 'POST', headers: event, body });
  const toAnswer = (await answered) - began;
  stop();
  await asleep;
  const { wall } = await coldStart({
    args: [bareServer],
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: cacheFolder },
    preload,
    request: bytesOf(event, Buffer.from(body)),
  });
  return { toAnswer, toListening, bare: wall };
}

/** Deletes what bare servers have compiled. */
export function forget(cacheFolder: string): void {
  rmSync(cacheFolder, { recursive: true, force: true });
}

/** An unrelated Pod, in its shortest form. */
const body = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'cold', namespace: 'bench', uid: 'u' },
});

const event = {
  'content-type': 'application/json',
  'ce-specversion': '1.0',
  'ce-id': 'cold',
  'ce-type': 'dev.knative.apiserver.resource.update',
  'ce-source': '/bench',
  'ce-kind': 'Pod',
  'ce-apiversion': 'v1',
  'ce-name': 'cold',
  'ce-namespace': 'bench',
};
