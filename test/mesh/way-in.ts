import { readFileSync } from 'node:fs';
import type { Access } from '../../packages/controller/cluster/access.ts';
import type { MeshState } from '../../packages/mesh/state.ts';

/** The embedded API of a mesh over plain HTTP, with the token of its kubeconfig. */
export function accessTo({ apiServer, kubeconfig }: Pick<MeshState, 'apiServer' | 'kubeconfig'>): Access {
  const credentials = bearerOf(kubeconfig);
  return { server: apiServer, credentials: async () => credentials };
}

/** The header that shows the token of a kubeconfig. */
export function bearerOf(kubeconfig: string): { readonly authorization: string } {
  const [, token = ''] = /token: '([^']+)'/.exec(readFileSync(kubeconfig, 'utf8')) ?? [];
  return { authorization: `Bearer ${token}` };
}
