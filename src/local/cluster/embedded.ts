import { rmSync, writeFileSync } from 'node:fs';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import type { Access } from '../../kube/access.ts';
import { patches } from '../../kube/call.ts';
import { createTransport } from '../../kube/transport.ts';
import { createApi } from '../api/api.ts';
import { serveApi } from '../api/server.ts';
import { startControllers } from '../controllers/start.ts';
import { guessedPlural, versionPath } from '../sources/plural.ts';

export interface Embedded {
  readonly url: string;
  readonly access: Access;
  /** Server-side apply of each object, in this order, as `kubectl apply --server-side --force-conflicts` does it. */
  apply(objects: readonly KubeObject[]): Promise<void>;
  /** Writes the status of an object that is there. */
  tell(ref: ObjectRef, status: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

export interface EmbeddedParts {
  readonly port: number;
  /** Where it is written for kubectl; taken away at the end. */
  readonly kubeconfig: string;
  /** Where the objects are kept; absent: they are gone with the process. */
  readonly dataDir?: string;
  readonly version: string;
}

/** A Kubernetes API of our own on loopback, with its controllers. */
export async function startEmbedded({ port, kubeconfig, dataDir, version }: EmbeddedParts): Promise<Embedded> {
  const api = createApi(dataDir === undefined ? {} : { dir: dataDir });
  const stopControllers = startControllers({
    client: api.client,
    now: () => `${new Date().toISOString().slice(0, 19)}Z`,
    schedule: setImmediate,
  });
  const stop = (): void => {
    stopControllers();
    api.close();
  };
  const server = await serveApi(api, { port }).catch((error: unknown) => {
    stop();
    throw error;
  });
  writeFileSync(kubeconfig, kubeconfigOf(server.url));
  const access: Access = { server: server.url, credentials: async () => ({}) };
  return {
    url: server.url,
    access,
    apply: (objects) => applyAll(objects, { access, version }),
    tell: (ref, status) => {
      const live = api.client.get(ref);
      if (live !== undefined) api.client.updateStatus({ ...live, status } as KubeObject);
    },
    close: async () => {
      rmSync(kubeconfig, { force: true });
      await server.close();
      stop();
    },
  };
}

async function applyAll(
  objects: readonly KubeObject[],
  options: { readonly access: Access; readonly version: string },
): Promise<void> {
  const transport = createTransport(options);
  try {
    for (const object of objects) {
      await transport({
        method: 'PATCH',
        verb: 'apply',
        resource: guessedPlural(object.kind),
        target: describe(refOf(object)),
        path: pathOf(object),
        query: { fieldManager: 'knudge-start', force: 'true' },
        contentType: patches.apply,
        body: object,
      });
    }
  } finally {
    transport.close();
  }
}

function pathOf({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): string {
  const home = namespace === undefined || namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${versionPath(apiVersion)}${home}/${guessedPlural(kind)}/${name}`;
}

/** No credentials: it listens on loopback alone. */
function kubeconfigOf(server: string): string {
  return `apiVersion: v1
kind: Config
current-context: knudge
contexts:
  - name: knudge
    context: { cluster: knudge, user: knudge }
clusters:
  - name: knudge
    cluster: { server: '${server}' }
users:
  - name: knudge
    user: {}
`;
}
