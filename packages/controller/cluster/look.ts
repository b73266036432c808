import { KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import type { Transport } from './call.ts';
import { toObject, toPage } from './parse.ts';

/** A kind of any API group, as its address names it. */
export interface Looked {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
}

/** Reads objects of any kind, for commands that inspect a cluster; the functions know only their few kinds. */
export interface Look {
  /** Undefined if there is no such object, also for a kind that the cluster does not serve. */
  get(what: Looked, at: { readonly namespace?: string; readonly name: string }): Promise<KubeObject | undefined>;
  /** An empty namespace means all; an empty list for a kind that the cluster does not serve. At most 5,000. */
  list(
    what: Looked,
    at?: { readonly namespace?: string; readonly labelSelector?: string },
  ): Promise<readonly KubeObject[]>;
  /** Whether the cluster has a version of an API group: `eventing.knative.dev/v1`. */
  serves(apiVersion: string): Promise<boolean>;
  /** POSTs a question that is not stored, such as a SubjectAccessReview; returns its answer. */
  ask(what: Looked, question: object): Promise<unknown>;
}

const limit = 500;
const mostPages = 10;

/** Reads through a transport; every error is a KnudgeError. */
export function createLook(transport: Transport): Look {
  return {
    get: async (what, { namespace = '', name }) => {
      const ref: ObjectRef = { apiVersion: what.apiVersion, kind: what.kind, namespace, name };
      const path = `${pathOf(what, namespace)}/${encodeURIComponent(name)}`;
      const body = await unlessAbsent(
        transport({ method: 'GET', verb: 'get', resource: what.plural, target: describe(ref), path }),
      );
      return body === undefined ? undefined : toObject(body, ref);
    },
    list: async (what, at = {}) => (await unlessAbsent(listAll(transport, what, at))) ?? [],
    serves: async (apiVersion) => {
      const call = { method: 'GET', verb: 'get', resource: 'discovery', target: apiVersion } as const;
      return (await unlessAbsent(transport({ ...call, path: `/apis/${apiVersion}` }))) !== undefined;
    },
    ask: (what, question) =>
      transport({
        method: 'POST',
        verb: 'ask',
        resource: what.plural,
        target: what.kind,
        path: pathOf(what, ''),
        body: { apiVersion: what.apiVersion, kind: what.kind, ...question },
      }),
  };
}

async function listAll(
  transport: Transport,
  what: Looked,
  { namespace = '', labelSelector = '' }: { readonly namespace?: string; readonly labelSelector?: string },
): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  let token = '';
  for (let page = 0; page < mostPages; page += 1) {
    const query = {
      limit: String(limit),
      ...(labelSelector !== '' && { labelSelector }),
      ...(token !== '' && { continue: token }),
    };
    const path = pathOf(what, namespace);
    const body = await transport({
      method: 'GET',
      verb: 'list',
      resource: what.plural,
      target: what.kind,
      path,
      query,
    });
    const { objects: more, next } = toPage(body, what);
    objects.push(...more);
    if (next === '') break;
    token = next;
  }
  return objects;
}

/** Where the API server has a kind, in one namespace or in all. */
export function pathOf({ apiVersion, plural }: Looked, namespace: string): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  return `${root}/${apiVersion}${namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`}/${plural}`;
}

/** An answer; undefined where there is no such object, and for a kind that the cluster does not serve. */
export async function unlessAbsent<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof KnudgeError && (error.code === 'gone' || error.code === 'kind-not-served')) return undefined;
    throw error;
  }
}
