// Runs on a thread of its own: backends, and clients that ask for them, which wait for nothing that the test does.
import { parentPort, workerData } from 'node:worker_threads';
import { startBackend } from './backends.ts';
import { askHttp } from './clients.ts';
import type { ThreadData, ThreadSays } from './start-traffic-thread.ts';
import { startTraffic } from './traffic.ts';

const { backends, to } = workerData as ThreadData;
const closers: (() => unknown)[] = [];
const context = { after: (close: () => unknown) => void closers.push(close) };
const say = (message: ThreadSays): void => parentPort?.postMessage(message);

for (const place of backends) await startBackend(context, 'http', place);
let traffic: ReturnType<typeof startTraffic> | undefined;
parentPort?.on('message', async (word: 'begin' | 'end') => {
  if (word === 'begin') {
    traffic = startTraffic(() => askHttp(to), { atOnce: 2, restMs: 20 });
    return;
  }
  const failed = (await traffic?.stop()) ?? [];
  say({ kind: 'ended', requests: traffic?.seen.length ?? 0, failed });
});
say({ kind: 'listening' });
