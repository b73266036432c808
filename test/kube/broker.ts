import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Received } from '../../packages/controller/domain/change.ts';
import { decode } from '../../packages/controller/wire/decode.ts';
import type { BuiltEvent } from '../build/event.ts';

export interface Broker {
  readonly url: string;
  readonly taken: Received[];
  /** What is done with an event before it is answered, as the synchronous Broker does. */
  onEvent: (event: Received, request: BuiltEvent) => Promise<unknown>;
  close(): void;
}

/** The ingress of a Broker, for functions that send events. */
export async function startBroker(): Promise<Broker> {
  const taken: Received[] = [];
  const server = createServer((request, response) => {
    take()
      .then((status) => response.writeHead(status).end())
      .catch(() => response.destroy());
    async function take(): Promise<number> {
      const body = await buffer(request);
      const event = decode({ headers: request.headers, body });
      taken.push(event);
      const kept = Object.entries(request.headers).filter(
        ([name]) => name.startsWith('ce-') || name === 'content-type',
      );
      await broker.onEvent(event, { headers: Object.fromEntries(kept) as Record<string, string>, body });
      return 202;
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const broker: Broker = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/knudge/knudge`,
    taken,
    onEvent: async () => {},
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return broker;
}
