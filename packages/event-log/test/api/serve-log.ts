import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startApp } from '../../../controller/test/server/start.ts';
import { answerAsked, type LogApiParts } from '../../api/answer.ts';

/** A log behind the server of the functions, as it is asked in a mesh, or with `check` in a cluster. */
export async function serveLog(parts: LogApiParts): Promise<{ readonly url: string; close(): void }> {
  const { app } = startApp({
    reaction: { to: 'paths', events: new Map(), ask: (request) => answerAsked(request, parts) },
    env: { LOG_LEVEL: 'silent' },
  });
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  return {
    url: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
    close: () => {
      app.close();
      app.closeAllConnections();
    },
  };
}
