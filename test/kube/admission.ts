import { after } from 'node:test';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { pathOf } from './install.ts';
import { kubectl } from './kubectl.ts';
import { runWeb, type Services, useServices } from './services.ts';
import { until } from './until.ts';

export function message(namespace: string): KubeObject {
  return { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name: 'hello', namespace } };
}

export function labelled(key: string, value: string) {
  return { body: { metadata: { labels: { [key]: value } } }, contentType: 'application/merge-patch+json' };
}

/**
 * The service `web` and the Message `hello` run, and the policies of deploy/admission are in force until the file's tests end;
 * what more is put there is there when they begin.
 */
export function useAdmission(putMore: (services: Services) => Promise<void> = async () => {}) {
  const given = useServices(async (services) => {
    const { arena, namespace } = services;
    await runWeb(services);
    await arena.put(message(namespace));
    await arena.processed(namespace, 'hello');
    await kubectl('apply', '--kustomize', 'deploy/admission');
    // A policy is in force a moment after it was made.
    await until('the policies are in force', async () => {
      const path = pathOf('v1', 'Pod', { namespace, name: 'msg-hello' });
      const { status } = await arena.api('PATCH', path, { ...labelled('early', 'yes'), query: { dryRun: 'All' } });
      return status !== 200;
    });
    await putMore(services);
  });
  // Other tests spoil children.
  after(() => kubectl('delete', '--ignore-not-found', '--kustomize', 'deploy/admission'));
  return given;
}
