import { KnudgeError } from '../domain/errors.ts';
import type { KubeObject } from '../domain/kube-object.ts';
import type { Query } from '../domain/plan.ts';
import type { Transport } from './call.ts';
import { type Page, toPage } from './parse.ts';
import { collectionPath, resourceName } from './paths.ts';

export type ListQuery = Omit<Extract<Query, { what: 'list' }>, 'what'>;

/** Which page, and how much of each object. */
export interface PageRequest {
  /** The `next` of the page before; empty for the first page. */
  readonly token: string;
  readonly limit: number;
  readonly metadataOnly: boolean;
}

const metadataOnlyList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const limit = 250;
/** 100,000 objects: more than one event can work through, and a bound against a server that never stops. */
const mostPages = 400;
/** A list whose pages expired (410) begins again, at most this often. */
const mostRestarts = 2;

/** Every selected object, by pages of one consistent list; begins again if a page has expired. */
export async function readList(transport: Transport, query: ListQuery): Promise<readonly KubeObject[]> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      return await readPages(transport, query);
    } catch (error) {
      const isExpired = error instanceof KnudgeError && error.code === 'expired';
      if (!isExpired || restarts === mostRestarts) throw error;
    }
  }
}

async function readPages(transport: Transport, query: ListQuery): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  let token = '';
  for (let page = 0; page < mostPages; page += 1) {
    const { objects: more, next } = await readPage(transport, query, {
      token,
      limit,
      metadataOnly: query.metadataOnly ?? false,
    });
    objects.push(...more);
    if (next === '') return objects;
    token = next;
  }
  throw new KnudgeError(
    'unexpected-answer',
    `list of ${query.kind}: more than ${mostPages} pages: select fewer objects`,
  );
}

/** One page. Without a resourceVersion the first page is the most recent state; the others belong to the same state. */
export async function readPage(transport: Transport, query: ListQuery, request: PageRequest): Promise<Page> {
  const { kind, namespace, labelSelector, fieldSelector = '' } = query;
  const body = await transport({
    method: 'GET',
    verb: 'list',
    resource: resourceName(query),
    target: namespace === '' ? kind : `${kind} in ${namespace}`,
    path: collectionPath(query),
    query: {
      limit: String(request.limit),
      ...(labelSelector !== '' && { labelSelector }),
      ...(fieldSelector !== '' && { fieldSelector }),
      ...(request.token !== '' && { continue: request.token }),
    },
    ...(request.metadataOnly && { accept: metadataOnlyList }),
  });
  return toPage(body, query);
}
