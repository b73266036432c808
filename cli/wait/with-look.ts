import { createLook, type Look } from '../../packages/controller/cluster/look.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import { version } from '../about.ts';

/** Does something with what the cluster of a kubeconfig holds, and closes the connection. */
export async function withLook<Result>(kubeconfig: string, use: (look: Look) => Promise<Result>): Promise<Result> {
  // Imported here because it loads the Kubernetes client.
  const { outsideCluster } = await import('../../packages/controller/cluster/outside.ts');
  const transport = createTransport({ access: await outsideCluster({ kubeconfig }), version, timeoutMs: 10_000 });
  try {
    return await use(createLook(transport));
  } finally {
    transport.close();
  }
}
