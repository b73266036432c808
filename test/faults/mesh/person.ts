import assert from 'node:assert/strict';
import type { Access } from '../../../packages/controller/cluster/access.ts';
import { collectionPath, objectPath } from '../../../packages/controller/cluster/paths.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { until } from '../../kube/until.ts';

/** Somebody who does not give up while the API server is away: what is done is there, once, whatever was tried. */
export interface Person {
  /** Waits for one of the same name to go; one that somebody else made is an error. */
  create(object: KubeObject): Promise<void>;
  /** A JSON merge patch; where there is no such object, nothing. */
  patch(ref: ObjectRef, change: Readonly<Record<string, unknown>>): Promise<void>;
  delete(ref: ObjectRef): Promise<void>;
}

/** Says which creation an object is from: a POST whose answer was lost is found again by it. */
const stamp = 'test.knudge.dev/creation';
const patience = 90;

/** `access` gives the way to the API server that runs at this moment; undefined while no API server runs. */
export function createPerson(access: () => Access | undefined): Person {
  let creations = 0;
  const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
    const at = access();
    if (at === undefined) return { status: 0, body: 'there is no API server' };
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { authorization = '' } = await at.credentials(false);
    const response = await fetch(`${at.server}${path}?fieldManager=person`, {
      method,
      headers: { 'content-type': contentType, authorization },
      signal: AbortSignal.timeout(10_000),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => error as Error);
    if (response instanceof Error) return { status: 0, body: response.message };
    const text = await response.text().catch(() => '');
    return { status: response.status, body: text };
  };
  const insist = (what: string, path: string, { method, body, fine }: Insistence): Promise<void> =>
    until(
      what,
      async () => {
        const { status, body: said } = await ask(method, path, body);
        // Away, conflict with another writer, or not ready yet: once more.
        if (fine.includes(status)) return true;
        assert.ok(status === 0 || status === 409 || status >= 500, `${what}: ${status} ${String(said)}`);
        return { status, said };
      },
      patience,
    );
  return {
    create: async (object) => {
      const ref = refOf(object);
      creations += 1;
      const mark = `${process.pid}-${creations}`;
      const body = withMark(object, mark);
      await until(
        `create ${describe(ref)}`,
        async () => {
          const { status, body: said } = await ask('POST', collectionPath(ref), body);
          if (status === 201) return true;
          if (status !== 409) return { status, said };
          const there = await ask('GET', objectPath(ref));
          return there.status === 200 && String(there.body).includes(`"${stamp}":"${mark}"`) ? true : there;
        },
        patience,
      );
    },
    patch: (ref, body) =>
      insist(`patch ${describe(ref)}`, objectPath(ref), { method: 'PATCH', body, fine: [200, 404] }),
    delete: (ref) => insist(`delete ${describe(ref)}`, objectPath(ref), { method: 'DELETE', fine: [200, 202, 404] }),
  };
}

interface Insistence {
  readonly method: string;
  readonly body?: unknown;
  readonly fine: readonly number[];
}

function withMark(object: KubeObject, mark: string): KubeObject {
  const annotations = { ...object.metadata.annotations, [stamp]: mark };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
