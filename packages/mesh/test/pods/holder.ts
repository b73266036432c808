// Starts the node's process and says when it runs, as a mesh does; a test kills it.

import type { NodeOrders } from '../../pods/start-pods.ts';
import { startPods } from '../../pods/start-pods.ts';

const { dir, ...orders } = JSON.parse(process.argv[2] ?? '{}') as Omit<NodeOrders, 'folder'> & { readonly dir: string };
const pods = await startPods({ orders, dir, report: (hop) => console.log(JSON.stringify(hop)) });
process.once('SIGTERM', async () => {
  await pods.close();
  process.exit(0);
});
console.log('runs');
