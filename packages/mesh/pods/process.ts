// Runs in a process of its own: the node of this machine. Gets its orders from the mesh, and ends everything if the mesh is gone.

import { startNode } from './node.ts';
import type { NodeOrders, NodeSays } from './start-pods.ts';

/** Also if the mesh was killed: the operating system closes the channel for it. Containers end at the exit (container.ts). */
process.once('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => process.exit(0));

const say = (message: NodeSays): void => void process.send?.(message);

process.once('message', (orders: NodeOrders) => {
  const { server, token, ...parts } = orders;
  const access = { server, credentials: async () => ({ authorization: `Bearer ${token}` }) };
  const warn = (text: string): void => say({ kind: 'warning', text });
  startNode({ ...parts, access, warn }).then(
    (node) => {
      process.once('message', async ({ graceMs }: { readonly graceMs: number }) => {
        await node.close(graceMs);
        process.exit(0);
      });
      say({ kind: 'ready' });
    },
    (error: unknown) => say({ kind: 'failed', text: (error as Error).message }),
  );
});
