import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../kube/until.ts';

/** Listens on loopback; 0: at any port. Rejects where somebody else has the port. */
export function listening(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', () => {
    server.off('error', reject);
    resolve();
  });
  return promise;
}

/** For this long nobody listens at the port of this server, and what was under way is cut off. */
export async function refusing(server: Server, port: number, ms: number): Promise<void> {
  server.close().closeAllConnections();
  await sleep(ms);
  // Somebody else may have its port for a moment.
  await until('it listens again', () => listening(server, port).then(() => true));
}
