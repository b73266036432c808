import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A wire to the API server that can be cut, or swallow every byte without closing. */
export async function startProxy(t: TestContext, to: URL) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'sound' | 'cut' | 'mute' = 'sound';
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy();
    const far = connect(Number(to.port), to.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, into] of [pair, [far, near] as const]) {
      from.on('data', (bytes: Buffer) => state !== 'mute' && !muted.has(from) && into.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        into.destroy();
      });
    }
    return near;
  });
  const muted = new WeakSet<Socket>();
  const destroyAll = (): void => pairs.forEach((pair) => pair.forEach((socket) => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    destroyAll();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    cut: () => {
      state = 'cut';
      destroyAll();
    },
    /** Connections that stand stay mute for good; new ones are sound after `heal`. */
    mute: () => {
      state = 'mute';
      for (const pair of pairs) for (const socket of pair) muted.add(socket);
    },
    heal: () => {
      state = 'sound';
    },
  };
}
