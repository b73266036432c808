import { randomUUID } from 'node:crypto';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import type { Message } from '../../resources/message/types.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { type FunctionsOptions, startFunctions } from './functions.ts';
import { install, pathOf, put } from './install.ts';
import { postEvent } from './post.ts';
import { startSource } from './source.ts';
import { until } from './until.ts';

interface At {
  readonly namespace?: string;
  readonly name?: string;
}

interface ArenaOptions extends FunctionsOptions {
  readonly withSource?: boolean;
}

/** A real API server with the functions and a source of events running, and what tests do with it. */
export async function openArena({ withSource = true, ...options }: ArenaOptions = {}) {
  const kubeconfig = testKubeconfig();
  const api = apiFrom(kubeconfig);
  await install(api, options.home);
  const functions = await startFunctions(kubeconfig, options);
  const source = withSource ? await startSource(kubeconfig, functions) : undefined;

  const get = async (apiVersion: string, kind: string, at: At): Promise<KubeObject | undefined> => {
    const { status, body } = await api('GET', pathOf(apiVersion, kind, at));
    return status === 404 ? undefined : (body as KubeObject);
  };
  const service = async (namespace: string, name: string): Promise<DistributedService | undefined> =>
    (await get('frp.io/v1beta1', 'DistributedService', { namespace, name })) as DistributedService | undefined;
  const message = async (namespace: string, name: string): Promise<Message | undefined> =>
    (await get('myorg.dev/v1', 'Message', { namespace, name })) as Message | undefined;

  return {
    api,
    kubeconfig,
    /** Where Knudge is. */
    home: options.home ?? 'knudge',
    functions,
    source,
    get,
    service,
    message,
    put: <Kind extends KubeObject>(object: Kind) => put(api, object),
    list: async (apiVersion: string, kind: string, namespace: string): Promise<readonly KubeObject[]> => {
      const { body } = await api('GET', pathOf(apiVersion, kind, { namespace }));
      return (body as { items: KubeObject[] }).items;
    },
    remove: async ({ apiVersion, kind, metadata }: KubeObject, propagationPolicy = 'Background'): Promise<void> => {
      const { status, body } = await api('DELETE', pathOf(apiVersion, kind, metadata), { body: { propagationPolicy } });
      if (status > 299 && status !== 404)
        throw new Error(`${kind} ${metadata.name} was not deleted: ${JSON.stringify(body)}`);
    },
    /** A new namespace whose name begins like this: nothing of an earlier run is in it. */
    namespace: async (prefix: string): Promise<string> => {
      const name = `${prefix}-${randomUUID().slice(0, 8)}`;
      await put(api, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      return name;
    },
    /** Waits for a state of a service or a phase of a Message. */
    running: (namespace: string, name: string, state = 'Running') =>
      until(`${namespace}/${name} is ${state}`, async () => {
        const { status } = (await service(namespace, name)) ?? {};
        return status?.state === state || { state: status?.state, conditions: status?.conditions };
      }),
    processed: (namespace: string, name: string) =>
      until(`${namespace}/${name} is Processed`, async () => {
        const found = await message(namespace, name);
        const { phase, observedGeneration } = found?.status ?? {};
        return (phase === 'Processed' && observedGeneration === found?.metadata.generation) || { phase };
      }),
    /** Waits until an event of an object causes no write any more, three times in a row: one without a version, or it would soon be known. */
    settled: async (object: KubeObject): Promise<void> => {
      const { resourceVersion: _, ...metadata } = object.metadata;
      const { url } = functions.of(object.kind === 'Message' ? 'message-changed' : 'distributed-service-changed');
      let quiet = 0;
      await until(`events of ${object.kind} ${object.metadata.name} write nothing`, async () => {
        const { outcome } = await postEvent(url, { ...object, metadata });
        quiet = outcome.endsWith('writes=0') ? quiet + 1 : 0;
        return quiet >= 3 || outcome;
      });
    },
    close: async (): Promise<void> => {
      await source?.stop();
      await functions.stop();
    },
  };
}

export type Arena = Awaited<ReturnType<typeof openArena>>;
