import { writeFileSync } from 'node:fs';

/** Writes a kubeconfig of an API server at this address, which asks nobody who they are. */
export function writeKubeconfig(file: string, server: string): void {
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'here', user: 'me' } }],
      clusters: [{ name: 'here', cluster: { server } }],
      users: [{ name: 'me', user: {} }],
    }),
  );
}
