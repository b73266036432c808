// Runs on a thread of its own: the embedded API and its controllers. Sends the address it listens at, or why it does not listen.
import { parentPort, workerData } from 'node:worker_threads';
import { createApi } from '../../kube-api/api.ts';
import { startControllers } from '../../kube-api/controllers/start.ts';
import { serveApi } from '../../kube-api/http/server.ts';
import { openJournal } from '../../kube-api/store/journal.ts';
import { logIn } from '../pods/log-in.ts';
import { createCredentials } from './credentials.ts';
import type { ApiThreadData, ApiThreadSays } from './start-api-thread.ts';

const { port, dataDir, otherNode } = workerData as ApiThreadData;

const say = (message: ApiThreadSays): void => parentPort?.postMessage(message);
try {
  const credentials = await createCredentials();
  const api = createApi({
    ...(dataDir !== undefined && { journal: openJournal(dataDir) }),
    ...(otherNode && { logOf: logIn(otherNode.folder) }),
  });
  const stopControllers = startControllers({
    client: api.client,
    now: () => `${new Date().toISOString().slice(0, 19)}Z`,
    schedule: setImmediate,
    otherNode,
  });
  const stop = (): void => {
    stopControllers();
    api.close();
  };
  const server = await serveApi(api, { port, ...credentials }).catch((error: unknown) => {
    stop();
    throw error;
  });
  parentPort?.once('message', () => {
    void server.close().then(stop);
  });
  const { token, authority } = credentials;
  say({ kind: 'listening', url: server.url, token, authority });
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  say({ kind: 'failed', message, ...(code !== undefined && { code }) });
}
