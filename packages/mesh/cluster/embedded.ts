import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Access } from '../../controller/cluster/access.ts';
import { patches, type Transport } from '../../controller/cluster/call.ts';
import { createTransport } from '../../controller/cluster/transport.ts';
import { KnudgeError } from '../../controller/domain/errors.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../controller/domain/kube-object.ts';
import { guessedPlural, versionPath } from '../../controller/domain/plural.ts';
import { kubeconfigOf, opening } from './credentials.ts';
import { startApiThread } from './start-api-thread.ts';

export interface Embedded {
  readonly url: string;
  readonly token: string;
  readonly access: Access;
  /** Server-side apply of each object, in this order, as `kubectl apply --server-side --force-conflicts` does it. */
  apply(objects: readonly KubeObject[]): Promise<void>;
  /** Writes the status of an object that is there. */
  tell(ref: ObjectRef, status: Readonly<Record<string, unknown>>): Promise<void>;
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

/** A Kubernetes API of our own on loopback, with its controllers, on a thread of its own: events and requests do not wait for each other. */
export async function startEmbedded({ port, kubeconfig, dataDir, version }: EmbeddedParts): Promise<Embedded> {
  refuseForeign(kubeconfig);
  const thread = await startApiThread({ port, ...(dataDir !== undefined && { dataDir }) }).catch((error: unknown) => {
    throw dataDir === undefined ? error : dataProblem(error, dataDir);
  });
  const forget = (): void => rmSync(kubeconfig, { force: true });
  // One that is there keeps its mode.
  forget();
  writeFileSync(kubeconfig, kubeconfigOf(thread.url, thread), { mode: 0o600, flag: 'wx' });
  // Also when the process has no time to close anything.
  process.once('exit', forget);
  const access: Access = { server: thread.url, credentials: async () => ({ authorization: `Bearer ${thread.token}` }) };
  const transport = createTransport({ access, version });
  return {
    url: thread.url,
    token: thread.token,
    access,
    apply: async (objects) => {
      for (const object of objects) await applyObject(object, transport);
    },
    tell: async (ref, status) => {
      await transport({
        method: 'PATCH',
        verb: 'status',
        resource: guessedPlural(ref.kind),
        target: describe(ref),
        path: `${pathOf(ref)}/status`,
        query: { fieldManager: 'knudge-start' },
        contentType: patches.merge,
        body: { status },
      });
    },
    close: async () => {
      forget();
      process.off('exit', forget);
      transport.close();
      await thread.close();
    },
  };
}

function dataProblem(error: unknown, dataDir: string): unknown {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  if (code !== 'ERR_SQLITE_ERROR') return error;
  const sentence = `The objects in ${dataDir} cannot be read (${message}): name another --data`;
  return new KnudgeError('misuse', sentence, { cause: error });
}

/** Somebody's own, with the way into a cluster, is not to be written over. */
function refuseForeign(kubeconfig: string): void {
  if (!existsSync(kubeconfig) || readFileSync(kubeconfig, 'utf8').startsWith(opening)) return;
  throw new KnudgeError('misuse', `${kubeconfig} is not ours to write over: name another --dir`);
}

async function applyObject(object: KubeObject, transport: Transport): Promise<void> {
  await transport({
    method: 'PATCH',
    verb: 'apply',
    resource: guessedPlural(object.kind),
    target: describe(refOf(object)),
    path: pathOf(refOf(object)),
    query: { fieldManager: 'knudge-start', force: 'true' },
    contentType: patches.apply,
    body: object,
  });
}

function pathOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  const home = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${versionPath(apiVersion)}${home}/${guessedPlural(kind)}/${name}`;
}
