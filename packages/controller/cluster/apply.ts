import { KnudgeError } from '../domain/errors.ts';
import { type FieldPath, type KubeObject, type ManagedFieldsEntry, refOf } from '../domain/kube-object.ts';
import { manager } from '../domain/names.ts';
import { patches, type Transport } from './call.ts';
import { ownedAlone } from './ownership.ts';
import { writeObject } from './write.ts';

interface Application {
  readonly object: KubeObject;
  readonly live: KubeObject;
  /** Fields that must go although another manager has set them. */
  readonly strays?: readonly FieldPath[] | undefined;
}

/**
 * Server-side apply over the object as it was read. The uid in the body keeps a deleted object from being made again, which
 * the resourceVersion alone does not (kube-apiserver 1.35: 201); with both a changed object gives `conflict`.
 */
export async function applyObject(
  transport: Transport,
  { object, live, strays = [] }: Application,
): Promise<KubeObject> {
  const { uid, resourceVersion } = (await ownAsApplied(transport, live, strays)).metadata;
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
 * Fields that Knudge posted belong to it as `Update`, and an apply removes only fields of an earlier `Apply`: so before the first
 * apply that entry is renamed, or a field that is no longer desired would stay for ever. Strays that another manager owns would
 * stay too: they are made Knudge's alone first and go with the apply, so that no version of the object lacks both.
 */
async function ownAsApplied(transport: Transport, live: KubeObject, strays: readonly FieldPath[]): Promise<KubeObject> {
  const { managedFields = [], uid, resourceVersion } = live.metadata;
  const taken = strays.length === 0 ? undefined : ownedAlone(managedFields, strays, live.apiVersion);
  const changes = taken === undefined ? renamed(managedFields) : [{ op: 'add', path: entriesPath, value: taken }];
  if (changes.length === 0) return live;
  const body = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    ...changes,
  ];
  try {
    return await writeObject(transport, { ref: refOf(live), verb: 'own', contentType: patches.json, body });
  } catch (error) {
    throw notAsRead(error);
  }
}

const entriesPath = '/metadata/managedFields';

function renamed(managedFields: readonly ManagedFieldsEntry[]): readonly object[] {
  const index = managedFields.findIndex(
    (entry) => entry.manager === manager && entry.operation === 'Update' && (entry.subresource ?? '') === '',
  );
  if (index < 0) return [];
  const entry = `${entriesPath}/${index}`;
  return [
    { op: 'test', path: `${entry}/manager`, value: manager },
    { op: 'test', path: `${entry}/operation`, value: 'Update' },
    { op: 'replace', path: `${entry}/operation`, value: 'Apply' },
  ];
}

/** An object that is gone is not what was read either. */
function notAsRead(error: unknown): unknown {
  if (!(error instanceof KnudgeError) || error.code !== 'gone') return error;
  return new KnudgeError('conflict', error.message, { cause: error });
}
