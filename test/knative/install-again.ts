import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { home, type Site } from './site.ts';

const waits = ['--ignore-not-found', '--timeout=90s'];

/**
 * Takes away what is installed of Knudge, if anything is: first what has finalizers, then the Broker, whose channel keeps
 * the subscriptions of Triggers that are deleted together, and then all else.
 */
export async function uninstall(site: Site): Promise<void> {
  const isThere = async (name: string) => (await site.get('v1', 'Namespace', { name })) !== undefined;
  const { stdout: kinds } = await kubectl('get', 'crd', '--output=name');
  if (kinds.includes('distributedservices.frp.io'))
    await kubectl('delete', 'distributedservices,messages', '--all', '--all-namespaces', ...waits);
  if (await isThere(home)) await kubectl('--namespace', home, 'delete', 'broker', '--all', ...waits);
  await kubectl('delete', '-k', 'deploy', ...waits);
  // Pods of functions finish what they have begun, for half a minute.
  await until('the namespace is gone', async () => !(await isThere(home)), 120);
}
