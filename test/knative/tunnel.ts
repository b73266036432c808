import assert from 'node:assert/strict';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import { askHttp } from '../dataplane/world/clients.ts';
import { pathOf } from '../kube/install.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import type { FrpServer } from './frp-server.ts';
import { places } from './places.ts';
import type { Site } from './site.ts';
import { childrenOfWeb, webHost } from './web.ts';

const { tunnels } = places;

/** Reads a DistributedService. */
export function serviceOf(site: Site) {
  return async (namespace: string, name: string): Promise<DistributedService | undefined> =>
    (await site.get('frp.io/v1beta1', 'DistributedService', { namespace, name })) as DistributedService | undefined;
}

/** What its conditions sum up to, once they speak of what it is now. */
export const reasonOf = (found: DistributedService | undefined) =>
  found?.status?.observedGeneration === found?.metadata.generation &&
  found?.status?.conditions?.find(({ type }) => type === 'Ready')?.reason;

/** What tests do with the service `web`, whose tunnel leads to an FRP server in the cluster. */
export function tunnelOf(site: Site, server: () => FrpServer) {
  const service = serviceOf(site);
  async function untilRunning(): Promise<void> {
    await until(
      'web runs',
      async () => reasonOf(await service(tunnels, 'web')) === 'Running' || service(tunnels, 'web'),
      45,
    );
  }

  /** Who answers this many requests through frps, frpc and Envoy. */
  async function whoAnswers(count: number): Promise<readonly string[]> {
    const answers: string[] = [];
    for (let asked = 0; asked < count; asked += 1) {
      const answer = await askHttp({ ...server(), name: webHost });
      answers.push('by' in answer ? answer.by : `nobody: ${answer.failed}`);
    }
    return [...new Set(answers)].sort();
  }

  async function untilAllAnswer(replicas: number): Promise<void> {
    await until(
      `${String(replicas)} Pods answer through the tunnel`,
      async () => {
        const pods = (await site.list('v1', 'Pod', tunnels)).filter(
          ({ metadata }) => metadata.labels?.['app'] === 'web',
        );
        const names = pods.map(({ metadata }) => metadata.name).sort();
        const answered = await whoAnswers(replicas * 3);
        return (names.length === replicas && answered.join() === names.join()) || { names, answered };
      },
      45,
    );
  }

  /** The children as they are now, without what each server writes anew. */
  async function children(): Promise<readonly (KubeObject | undefined)[]> {
    return Promise.all(
      childrenOfWeb.map(({ apiVersion, kind, name }) => site.get(apiVersion, kind, { namespace: tunnels, name })),
    );
  }

  async function scaleTo(replicas: number): Promise<void> {
    await kubectl('--namespace', tunnels, 'scale', 'dsvc/web', `--replicas=${String(replicas)}`);
  }

  async function breakChildren(breakOne: (path: string, child: KubeObject) => Promise<void>): Promise<void> {
    const before = await children();
    await Promise.all(
      childrenOfWeb.map(({ apiVersion, kind, name, role }, index) => {
        const child = before[index] ?? assert.fail(`web has no ${role}`);
        return breakOne(pathOf(apiVersion, kind, { namespace: tunnels, name }), child);
      }),
    );
  }

  return { untilRunning, whoAnswers, untilAllAnswer, children, scaleTo, breakChildren };
}
