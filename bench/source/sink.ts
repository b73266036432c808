import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Broker that takes every event and keeps none. */
export interface CountingSink {
  readonly url: string;
  /** Events that it has taken. */
  readonly taken: () => number;
  readonly close: () => void;
}

export async function startCountingSink(): Promise<CountingSink> {
  let taken = 0;
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    request.resume();
    request.on('end', () => {
      taken += 1;
      response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    taken: () => taken,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
