import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { KnudgeError } from '../../controller/domain/errors.ts';
import type { Shown } from './credentials.ts';

/** What the thread is given. */
export interface ApiThreadData {
  readonly port: number;
  readonly dataDir?: string;
}

/** What it says, once. */
export type ApiThreadSays =
  | ({ readonly kind: 'listening'; readonly url: string } & Shown)
  | { readonly kind: 'failed'; readonly message: string; readonly code?: string };

export interface ApiThread extends Shown {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the embedded API on a thread; rejects with what kept it from listening, its code and port beside the message. */
export async function startApiThread({ port, dataDir }: ApiThreadData): Promise<ApiThread> {
  const workerData: ApiThreadData = { port, ...(dataDir !== undefined && { dataDir }) };
  const worker = new Worker(new URL('./api-thread.ts', import.meta.url), { workerData });
  const [said] = (await once(worker, 'message')) as [ApiThreadSays];
  if (said.kind === 'failed') {
    await worker.terminate();
    throw Object.assign(new KnudgeError('internal', said.message), { code: said.code, port });
  }
  const { url, token, authority } = said;
  return {
    ...{ url, token, authority },
    close: async () => {
      const ended = once(worker, 'exit');
      worker.postMessage('close');
      await ended;
    },
  };
}
