import { KnudgeError } from '../domain/errors.ts';
import { type KubeObject, refOf } from '../domain/kube-object.ts';
import { manager } from '../domain/names.ts';
import { patches, type Transport } from './call.ts';
import { writeObject } from './write.ts';

/**
 * Server-side apply over the object as it was read. The uid in the body keeps a deleted object from coming back, which
 * the resourceVersion alone does not (kube-apiserver 1.35: 201); both together make it `conflict` when it changed.
 */
export async function applyObject(transport: Transport, object: KubeObject, live: KubeObject): Promise<KubeObject> {
  const { uid, resourceVersion } = (await ownAsApplied(transport, live)).metadata;
  const { managedFields: _, ...metadata } = object.metadata;
  return writeObject(transport, {
    ref: refOf(object),
    verb: 'apply',
    contentType: patches.apply,
    force: true,
    body: { ...object, metadata: { ...metadata, uid, resourceVersion } },
  });
}

/**
 * What Knudge posted belongs to it as `Update`, and an apply removes only what an earlier `Apply` had: so before the first
 * apply that entry is renamed, or a field that is no longer desired would stay for ever.
 */
async function ownAsApplied(transport: Transport, live: KubeObject): Promise<KubeObject> {
  const { managedFields = [], uid, resourceVersion } = live.metadata;
  const index = managedFields.findIndex(
    (entry) => entry.manager === manager && entry.operation === 'Update' && (entry.subresource ?? '') === '',
  );
  if (index < 0) return live;
  const entry = `/metadata/managedFields/${index}`;
  const body = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'test', path: `${entry}/manager`, value: manager },
    { op: 'test', path: `${entry}/operation`, value: 'Update' },
    { op: 'replace', path: `${entry}/operation`, value: 'Apply' },
  ];
  try {
    return await writeObject(transport, { ref: refOf(live), verb: 'own', contentType: patches.json, body });
  } catch (error) {
    throw notAsRead(error);
  }
}

/** What is gone is not what was read either. */
function notAsRead(error: unknown): unknown {
  if (!(error instanceof KnudgeError) || error.code !== 'gone') return error;
  return new KnudgeError('conflict', error.message, { cause: error });
}
