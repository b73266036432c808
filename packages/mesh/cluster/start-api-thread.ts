import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { KnudgeError } from '../../controller/domain/errors.ts';
import type { Shown } from './credentials.ts';

/** The data for the thread. */
export interface ApiThreadData {
  readonly port: number;
  readonly dataDir?: string;
  /** The node of this machine, where Pods run as processes. */
  readonly otherNode?: {
    readonly name: string;
    readonly programs: readonly string[];
    /** Where the logs of its Pods are. */
    readonly folder: string;
  };
}

/** The one message of the thread. */
export type ApiThreadSays =
  | ({ readonly kind: 'listening'; readonly url: string } & Shown)
  | { readonly kind: 'failed'; readonly message: string; readonly code?: string };

export interface ApiThread extends Shown {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the embedded API on a thread; rejects with the reason if it cannot listen, with its code and port beside the message. */
export async function startApiThread(workerData: ApiThreadData): Promise<ApiThread> {
  const { port } = workerData;
  const worker = new Worker(new URL('./api-thread.ts', import.meta.url), { workerData });
  const [said] = (await once(worker, 'message')) as [ApiThreadSays];
  if (said.kind === 'failed') {
    await worker.terminate();
    throw Object.assign(new KnudgeError('internal', said.message), { code: said.code, port });
  }
  const { url, token, authority } = said;
  return {
    url,
    token,
    authority,
    close: async () => {
      const ended = once(worker, 'exit');
      worker.postMessage('close');
      await ended;
    },
  };
}
