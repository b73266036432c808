import { kubectlFor } from './kubectl.ts';

interface Deployments {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace: string } }[];
}

/** The Deployments of a cluster, a line for each namespace. */
export async function whatRuns(kubeconfig: string): Promise<readonly string[]> {
  const told = await kubectlFor(kubeconfig)(['get', 'deployments', '--all-namespaces', '--output', 'json']);
  const namespaces = new Map<string, string[]>();
  for (const { metadata } of (JSON.parse(told) as Deployments).items)
    namespaces.set(metadata.namespace, [...(namespaces.get(metadata.namespace) ?? []), metadata.name]);
  const width = Math.max(...[...namespaces.keys()].map((name) => name.length));
  return [...namespaces].sort().map(([name, list]) => `  ${name.padEnd(width)}  ${list.sort().join(', ')}`);
}
