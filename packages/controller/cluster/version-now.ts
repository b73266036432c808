import { KnudgeError } from '../domain/errors.ts';
import type { Transport } from './call.ts';

interface Collection {
  /** `/api/v1/pods`. */
  readonly path: string;
  /** A label selector; empty: everything. */
  readonly selector: string;
}

/** The version of the collection now. It asks for one item's metadata: the least that a list can ask for. */
export async function versionNow(transport: Transport, { path, selector }: Collection): Promise<string> {
  const list = await transport({
    method: 'GET',
    verb: 'list',
    resource: path.split('/').at(-1) ?? '',
    target: path,
    path,
    query: { limit: '1', ...(selector !== '' && { labelSelector: selector }) },
    accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
  });
  const version = (list as { metadata?: { resourceVersion?: unknown } } | null)?.metadata?.resourceVersion;
  if (typeof version === 'string' && version !== '') return version;
  throw new KnudgeError('unexpected-answer', `list of ${path}: the API server named no version`);
}

/**
 * Whether the API server has not reached this version yet. Versions of one API server are whole numbers that grow (KEP-5504); any
 * other version counts as reached, and for an empty one the API server is not asked.
 */
export async function isStillToCome(version: string, transport: Transport, collection: Collection): Promise<boolean> {
  if (!/^\d+$/.test(version)) return false;
  const now = await versionNow(transport, collection);
  return /^\d+$/.test(now) && BigInt(now) < BigInt(version);
}
