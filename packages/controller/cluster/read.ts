import { KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import type { Transport } from './call.ts';
import { toMetadata, toObject } from './parse.ts';
import { objectPath, resourceName } from './paths.ts';

const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

/** The most recent state of one object: no resourceVersion is sent, so the answer does not come from an old cache. */
export async function readObject(transport: Transport, ref: ObjectRef): Promise<KubeObject | undefined> {
  const body = await read(transport, ref, {});
  return body === undefined ? undefined : toObject(body, ref);
}

/** The same, with only the metadata. */
export async function readMetadata(transport: Transport, ref: ObjectRef): Promise<KubeObject | undefined> {
  const body = await read(transport, ref, { accept: metadataOnly });
  return body === undefined ? undefined : toMetadata(body, ref);
}

async function read(transport: Transport, ref: ObjectRef, options: { readonly accept?: string }): Promise<unknown> {
  const names = { resource: resourceName(ref), target: describe(ref) };
  try {
    return await transport({ method: 'GET', verb: 'get', ...names, path: objectPath(ref), ...options });
  } catch (error) {
    if (error instanceof KnudgeError && error.code === 'gone') return undefined;
    throw error;
  }
}
