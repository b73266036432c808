import type { TestContext } from 'node:test';
import { type BackendServer, startBackend } from './backends.ts';
import { type Answered, askOnce } from './clients.ts';
import { ports } from './frp-server.ts';
import { hostOf, type ServiceType } from './objects.ts';
import type { DataPlane } from './world.ts';

/** One backend for each name, at the first addresses. */
export async function startServers(
  context: Pick<TestContext, 'after'>,
  world: DataPlane,
  { type, names }: { readonly type: ServiceType; readonly names: readonly string[] },
): Promise<readonly BackendServer[]> {
  return Promise.all(
    names.map((name, index) => startBackend(context, type, { name, address: world.network.backend(index) })),
  );
}

/** A new client of the service `web` each time, or of the service at another port. */
export function asking(world: DataPlane, type: ServiceType, port: number = ports[type]): () => Promise<Answered> {
  const to = { host: world.network.host, port, name: hostOf('web') };
  return () => askOnce[type](to);
}

/** Who answers, or why nobody did, one time after the other. */
export async function whoAnswers(ask: () => Promise<Answered>, times: number): Promise<readonly string[]> {
  const all: string[] = [];
  for (let count = 0; count < times; count += 1) {
    const answered = await ask();
    all.push('by' in answered ? answered.by : answered.failed);
  }
  return all;
}
