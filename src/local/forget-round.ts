import { resyncLease } from '../domain/names.ts';
import type { Access } from '../kube/access.ts';
import { endRound, readLease } from '../kube/lease.ts';
import { createTransport } from '../kube/transport.ts';
import type { MeshSpec } from './mesh-spec.ts';

/**
 * Of objects that are kept, the round of the resync that was under way when the mesh before died: nobody goes on with it, and
 * the one that this mesh asks for would wait for it.
 */
export async function forgetRound({ functions }: MeshSpec, access: Access, version: string): Promise<void> {
  const { env = {} } = functions.find(({ name }) => name === 'resync-due') ?? {};
  const lease = { namespace: env['CONTROLLER_NAMESPACE'] ?? 'knudge', name: resyncLease };
  const transport = createTransport({ access, version });
  try {
    const { round } = await readLease(transport, lease);
    if (round !== undefined) await endRound(transport, lease, { round, isWhole: false, now: Date.now() });
  } finally {
    transport.close();
  }
}
