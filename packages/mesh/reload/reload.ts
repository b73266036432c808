import { asKnudgeError } from '../../controller/domain/errors.ts';
import { describe, type KubeObject, refOf } from '../../controller/domain/kube-object.ts';
import { readManifests } from '../manifests/read-manifests.ts';
import type { MeshSpec } from '../mesh-spec.ts';
import { applyManifests } from '../start-cluster.ts';
import { followObjects } from './follow-objects.ts';
import { isFollowed, liveSpecOf } from './live-spec.ts';
import { createSettle, objectsByName, type Reloadable } from './settle.ts';
import { watchFolders } from './watch-folders.ts';

const manifests = ['crds', 'deploy', 'eventing'];
/** What lists the functions. */
const table = 'functions/table.ts';
const code = ['functions', 'resources', 'packages'];

/**
 * Follows what is changed while the mesh runs: Triggers and sources in the embedded API, the files of the manifests, and the code of
 * the functions. Ended before the rest of the mesh.
 */
export function startReload(mesh: Reloadable): void {
  const { parts, cluster } = mesh;
  const { root, report, version, closers } = parts;
  const settle = createSettle(mesh);
  const warn = (about: string) => (text: string) => report({ kind: 'warning', about, text });
  const isOwnCluster = cluster.apply === undefined;
  const live = (objects: readonly KubeObject[]) => settle(liveSpecOf(objects, parts.spec, root), objects);
  if (!isOwnCluster) {
    const following = followObjects({ access: cluster.access, version, settle: live, failed: warn('reload') });
    closers.push(following.close);
  }
  let spec = parts.spec;
  let queue = Promise.resolve();
  const readFiles = async (files: readonly string[]): Promise<void> => {
    try {
      const before = spec;
      spec = readManifests(parts);
      if (isOwnCluster) await live(spec.objects.filter(isFollowed));
      else await applyChanges(before, spec, mesh);
    } catch (error) {
      warn(files.join(', '))(`${asKnudgeError(error).message}: all stays as it was until it is right`);
    }
  };
  const changed = (files: readonly string[]): void => {
    const [yaml, others] = [files.filter(isYaml), files.filter((file) => !isYaml(file))];
    if (yaml.length > 0) queue = queue.then(() => readFiles(yaml));
    if (others.length === 0) return;
    mesh.renew();
    if (others.includes(table)) warn(table)('restart npm start if a row is new or gone: each row is read at the start');
    report({ kind: 'reloaded', what: `${named(others)}: the next event of a function starts its new code` });
  };
  const watching = watchFolders({
    ...{ root, folders: [...manifests, ...code], changed },
    matters: (file) =>
      (isYaml(file) ? manifests : code).some((folder) => file.startsWith(`${folder}/`)) && isSource(file),
    tooMany: (most) =>
      warn('reload')(`there are more than ${most} folders: changes in the others need another npm start`),
  });
  closers.push(async () => {
    watching.close();
    await queue;
  });
}

function isYaml(file: string): boolean {
  return /\.ya?ml$/.test(file);
}

function isSource(file: string): boolean {
  return isYaml(file) || /(?<!\.test)\.(ts|js|mjs|json)$/.test(file);
}

function named([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** Applies the objects that files have changed to the embedded API, and deletes Triggers and sources that are in no file any more. */
async function applyChanges(before: MeshSpec, now: MeshSpec, { parts, cluster }: Reloadable): Promise<void> {
  const [old, young] = [objectsByName(before.objects), objectsByName(now.objects)];
  const nameOf = (object: KubeObject): string => `${object.apiVersion} ${describe(refOf(object))}`;
  const changed = now.objects.filter((one) => old.get(nameOf(one)) !== young.get(nameOf(one)));
  const gone = before.objects.filter((one) => !young.has(nameOf(one)));
  await applyManifests({ ...now, objects: changed }, cluster);
  for (const one of gone.filter(isFollowed)) await cluster.remove?.(refOf(one));
  for (const one of [...changed, ...gone].filter((each) => !isFollowed(each))) {
    const name = describe(refOf(one));
    if (isAtStart(one)) parts.report({ kind: 'warning', about: name, text: `restart npm start to ${atStart(one)}` });
    else if (changed.includes(one)) parts.report({ kind: 'reloaded', what: `${name} is applied` });
  }
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
