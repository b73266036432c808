import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { administrator, administrators } from './admission-rows.ts';
import { pathOf } from './install.ts';
import { runWeb, type Services, useServices } from './services.ts';
import { until } from './until.ts';

export function message(namespace: string): KubeObject {
  return { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name: 'hello', namespace } };
}

/** Gives the role `cluster-admin` to those whom the tests call administrators. */
export const administratorsBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: administrators },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: administrators }],
} as KubeObject;

export function labelled(key: string, value: string) {
  return { body: { metadata: { labels: { [key]: value } } }, contentType: 'application/merge-patch+json' };
}

/**
 * The service `web` and the Message `hello` run, and the policies of deploy/admission are in force; what more is put there is
 * there when the file's tests begin.
 */
export function useAdmission(putMore: (services: Services) => Promise<void> = async () => {}) {
  return useServices(async (services) => {
    const { arena, namespace } = services;
    await runWeb(services);
    await arena.put(message(namespace));
    await arena.processed(namespace, 'hello');
    await arena.put(administratorsBinding);
    // A policy is in force a moment after it was made.
    await until('the policies are in force', async () => {
      const path = pathOf('v1', 'Pod', { namespace, name: 'msg-hello' });
      const { status, body } = await arena.api('PATCH', path, {
        ...labelled('early', 'yes'),
        as: administrator,
        query: { dryRun: 'All' },
      });
      return status === 403 && /Knudge alone/.test(JSON.stringify(body));
    });
    await putMore(services);
  });
}
