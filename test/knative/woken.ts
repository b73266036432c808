import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import type { Message } from '../../resources/message/types.ts';
import { distributedService, serverProfile } from '../build/objects.ts';
import { until } from '../kube/until.ts';
import type { Site } from './site.ts';

/** By this label what a test has put there is found again. */
export const mark = { 'knudge.dev/test': 'sleep' };

/** A server profile that no service has in mind; it wakes config-map-changed. */
export function profile(name: string, namespace: string): KubeObject {
  const built = serverProfile(name);
  return { ...built, metadata: { ...built.metadata, namespace, labels: { ...built.metadata.labels, ...mark } } };
}

/** A service without children or server: its status says so, which is all that is looked at here. */
export function alone(name: string, namespace: string): DistributedService {
  return distributedService(name, { serverProfile: 'nobody-has-it' }, { namespace });
}

/** Waits until Messages have their Pods, which run. */
export function untilProcessed(
  site: Site,
  namespace: string,
  { names, seconds = 30 }: { readonly names: readonly string[]; readonly seconds?: number },
): Promise<void> {
  return until(
    `${names.join(', ')} processed`,
    async () => {
      const at = names.map((name) => site.get('myorg.dev/v1', 'Message', { namespace, name }));
      const left = ((await Promise.all(at)) as readonly (Message | undefined)[])
        .map((one) => one?.status?.phase)
        .filter((phase) => phase !== 'Processed');
      return left.length === 0 || left;
    },
    seconds,
  );
}

/** Waits until somebody has said how a service is. */
export async function untilTold(
  site: Site,
  namespace: string,
  { name, seconds }: { readonly name: string; readonly seconds: number },
): Promise<void> {
  await until(
    `DistributedService ${name} has a status`,
    async () => {
      const found = await site.get('frp.io/v1beta1', 'DistributedService', { namespace, name });
      return (found as DistributedService | undefined)?.status?.state !== undefined;
    },
    seconds,
  );
}
