import { describe, type KubeObject, refOf } from '../../controller/domain/kube-object.ts';
import type { MeshSpec } from '../mesh-spec.ts';
import { applyManifests } from '../start-cluster.ts';
import { isFollowed } from './live-spec.ts';
import type { Reloadable } from './settle.ts';

/**
 * Brings the objects of the files to the embedded API: applies what has changed, and deletes Triggers and sources that are in no file any
 * more. What the API refuses holds up no other object, is reported, and is tried again at the next call.
 */
export function createApply({ parts, cluster }: Reloadable): (now: MeshSpec) => Promise<void> {
  /** As the API has them, by their names. */
  const applied = new Map(parts.spec.objects.map((one) => [nameOf(one), one]));
  const warn = (object: KubeObject, text: string): void =>
    parts.report({ kind: 'warning', about: describe(refOf(object)), text });
  const attempt = async (object: KubeObject, write: () => Promise<void>): Promise<boolean> => {
    try {
      await write();
      return true;
    } catch (error) {
      warn(object, `${(error as Error).message}: it stays as it was until it is right`);
      return false;
    }
  };
  const apply = async (object: KubeObject, now: MeshSpec): Promise<void> => {
    if (!(await attempt(object, () => applyManifests({ ...now, objects: [object] }, cluster)))) return;
    applied.set(nameOf(object), object);
    if (isFollowed(object)) return;
    if (isAtStart(object)) warn(object, `restart npm start to ${atStart(object)}`);
    else parts.report({ kind: 'reloaded', what: `${describe(refOf(object))} is applied` });
  };
  const forget = async (object: KubeObject): Promise<void> => {
    const isGone = !isFollowed(object) || (await attempt(object, async () => cluster.remove?.(refOf(object))));
    if (!isGone) return;
    applied.delete(nameOf(object));
    if (isAtStart(object) && !isFollowed(object)) warn(object, `restart npm start to ${atStart(object)}`);
  };
  return async (now) => {
    const names = new Set(now.objects.map(nameOf));
    for (const one of now.objects) if (textOf(applied.get(nameOf(one))) !== textOf(one)) await apply(one, now);
    for (const [name, one] of [...applied]) if (!names.has(name)) await forget(one);
  };
}

function nameOf(object: KubeObject): string {
  return `${object.apiVersion} ${describe(refOf(object))}`;
}

function textOf(object: KubeObject | undefined): string | undefined {
  return JSON.stringify(object);
}

/** What a restart does with a changed object. */
function atStart({ apiVersion, kind }: KubeObject): string {
  return apiVersion.startsWith('serving.')
    ? 'run the function as its file says now'
    : `have this ${kind} as its file says now`;
}

/** What the mesh has started from its manifest, and does not start again. */
function isAtStart({ apiVersion }: KubeObject): boolean {
  return /^(serving|eventing|messaging)\.knative\.dev\//.test(apiVersion);
}
