import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Access } from '../../controller/cluster/access.ts';
import { patches, type Transport } from '../../controller/cluster/call.ts';
import { createTransport } from '../../controller/cluster/transport.ts';
import { asKnudgeError, KnudgeError } from '../../controller/domain/errors.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../controller/domain/kube-object.ts';
import { guessedPlural, versionPath } from '../../controller/domain/plural.ts';
import { kubeconfigOf, opening } from './credentials.ts';
import { type ApiThreadData, startApiThread } from './start-api-thread.ts';

export interface Embedded {
  readonly url: string;
  readonly token: string;
  readonly access: Access;
  /** Server-side apply of each object, in this order, as `kubectl apply --server-side --force-conflicts` does it. */
  apply(objects: readonly KubeObject[]): Promise<void>;
  /** Writes the status of an existing object. */
  tell(ref: ObjectRef, status: Readonly<Record<string, unknown>>): Promise<void>;
  /** Deletes an object; one that is gone already is no failure. */
  remove(ref: ObjectRef): Promise<void>;
  close(): Promise<void>;
}

export interface EmbeddedParts {
  readonly port: number;
  /** Where the kubeconfig for kubectl is written; removed at the end. */
  readonly kubeconfig: string;
  /** Where the objects are kept; without it they are gone with the process. */
  readonly dataDir?: string;
  readonly version: string;
  readonly otherNode?: NonNullable<ApiThreadData['otherNode']>;
}

/** Starts a Kubernetes API on loopback, with its controllers, on a thread of its own: events and requests do not wait for each other. */
export async function startEmbedded({ kubeconfig, version, ...data }: EmbeddedParts): Promise<Embedded> {
  refuseForeign(kubeconfig);
  const { dataDir } = data;
  const thread = await startApiThread(data).catch((error: unknown) => {
    throw dataDir === undefined ? error : dataProblem(error, dataDir);
  });
  const forget = (): void => rmSync(kubeconfig, { force: true });
  // An existing file would keep its mode.
  forget();
  writeFileSync(kubeconfig, kubeconfigOf(thread.url, thread), { mode: 0o600, flag: 'wx' });
  // Also if the process has no time to close anything.
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
    remove: (ref) => removeObject(ref, transport),
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

/** A user's own kubeconfig, with their access to a cluster, must not be overwritten. */
function refuseForeign(kubeconfig: string): void {
  if (!existsSync(kubeconfig) || readFileSync(kubeconfig, 'utf8').startsWith(opening)) return;
  throw new KnudgeError('misuse', `${kubeconfig} was not written by a mesh, so it is kept: name another --dir`);
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

async function removeObject(ref: ObjectRef, transport: Transport): Promise<void> {
  const target = describe(ref);
  const call = {
    method: 'DELETE',
    verb: 'delete',
    resource: guessedPlural(ref.kind),
    target,
    path: pathOf(ref),
  } as const;
  await transport(call).catch((error: unknown) => {
    if (asKnudgeError(error).code !== 'gone') throw error;
  });
}

function pathOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  const home = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${versionPath(apiVersion)}${home}/${guessedPlural(kind)}/${name}`;
}
