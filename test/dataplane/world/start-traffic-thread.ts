import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { BackendPlace } from './backends.ts';
import type { Target } from './clients.ts';

export interface ThreadData {
  readonly backends: readonly BackendPlace[];
  readonly to: Target;
}

export type ThreadSays =
  | { readonly kind: 'listening' }
  | { readonly kind: 'ended'; readonly requests: number; readonly failed: readonly string[] };

export interface TrafficThread {
  begin(): void;
  end(): Promise<Extract<ThreadSays, { kind: 'ended' }>>;
}

/** Http backends and, once begun, clients without end, on a thread of their own: they measure the way, and not the test. */
export async function startTrafficThread(
  context: Pick<TestContext, 'after'>,
  data: ThreadData,
): Promise<TrafficThread> {
  const worker = new Worker(new URL('./traffic-thread.ts', import.meta.url), { workerData: data });
  context.after(() => worker.terminate());
  await once(worker, 'message');
  return {
    begin: () => worker.postMessage('begin'),
    end: async () => {
      worker.postMessage('end');
      const [said] = (await once(worker, 'message')) as [Extract<ThreadSays, { kind: 'ended' }>];
      return said;
    },
  };
}
