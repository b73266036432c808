// Runs on a thread of its own: the embedded API and its controllers. Says where it listens, or why it does not.
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { ApiThreadData, ApiThreadSays } from './start-api-thread.ts';

const { port, dataDir, cacheDir } = workerData as ApiThreadData;
if (cacheDir !== undefined) enableCompileCache(cacheDir);
const [{ createApi }, { openJournal }, { serveApi }, { startControllers }, { createCredentials }] = await Promise.all([
  import('../api/api.ts'),
  import('../api/journal.ts'),
  import('../api/server.ts'),
  import('../controllers/start.ts'),
  import('./credentials.ts'),
]);

const say = (message: ApiThreadSays): void => parentPort?.postMessage(message);
try {
  const credentials = await createCredentials();
  const api = createApi(dataDir === undefined ? {} : { journal: openJournal(dataDir) });
  const stopControllers = startControllers({
    client: api.client,
    now: () => `${new Date().toISOString().slice(0, 19)}Z`,
    schedule: setImmediate,
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
