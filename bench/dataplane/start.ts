import { readFileSync } from 'node:fs';
import { askOnce } from '../../test/dataplane/world/clients.ts';
import { ports } from '../../test/dataplane/world/frp-server.ts';
import { hostOf, manual, service } from '../../test/dataplane/world/objects.ts';
import type { DataPlane } from '../../test/dataplane/world/world.ts';
import { backendPort } from './backends.ts';

export interface Started {
  /** Milliseconds from the creation of the service to its first answered request. */
  readonly fromCreation: number;
  /** Milliseconds from when the Pod was ready; negative if it answered before the kubelet knew that. */
  readonly fromReady: number;
}

/** Creates a service, sends requests until one is answered, and deletes it again. */
export async function measureStart(world: DataPlane, name: string, address: string): Promise<Started> {
  const backends = manual([{ address, port: backendPort }]);
  let readyAt = Number.NaN;
  const { client } = world.cluster;
  const stopListening = client.subscribe(({ object }) => {
    const isOurs = object.kind === 'Pod' && object.metadata.name.startsWith(`frp-${name}-`);
    if (!Number.isNaN(readyAt) || !isOurs || !JSON.stringify(object).includes('"type":"Ready","status":"True"')) return;
    readyAt = performance.now();
  });
  const createdAt = performance.now();
  world.put(service({ name, type: 'http', backends }));
  const to = { host: world.network.host, port: ports.http, name: hostOf(name) };
  const answers = async (): Promise<boolean> => {
    const answered = await askOnce.http(to);
    return 'failed' in answered && answered.failed.startsWith('204');
  };
  await world.until('it answers', answers);
  const answeredAt = performance.now();
  await world.until('the Pod is ready', () => !Number.isNaN(readyAt));
  stopListening();
  const ref = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', namespace: 'shop', name };
  client.delete(ref);
  await world.until('it is gone', () => client.get(ref) === undefined);
  return { fromCreation: answeredAt - createdAt, fromReady: answeredAt - readyAt };
}

export interface Memory {
  /** MiB that only this process has. */
  readonly own: number;
  /** MiB with its share of memory that other processes have too. */
  readonly shared: number;
}

/** The memory of a process as the kernel counts it. */
export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${String(pid)}/smaps_rollup`, 'utf8');
  const mebibytes = (what: string): number => Number(new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024;
  return { own: mebibytes('Anonymous'), shared: mebibytes('Pss') };
}
