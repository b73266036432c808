import { asKnudgeError } from '../../controller/domain/errors.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { manifestFolders, readManifests } from '../manifests/read-manifests.ts';
import { createApply } from './apply-changes.ts';
import { followObjects } from './follow-objects.ts';
import { isFollowed, liveSpecOf } from './live-spec.ts';
import { createSettle, type Reloadable } from './settle.ts';
import { watchFolders } from './watch-folders.ts';

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
  const applyChanges = createApply(mesh);
  /** Nothing is written to it, and what it has is not followed. */
  const isClusterOfUser = cluster.apply === undefined;
  const live = (objects: readonly KubeObject[]) => settle(liveSpecOf(objects, parts.spec, root), objects);
  if (!isClusterOfUser) {
    const following = followObjects({ access: cluster.access, version, settle: live, failed: warn('reload') });
    closers.push(following.close);
  }
  let queue = Promise.resolve();
  const readFiles = async (files: readonly string[]): Promise<void> => {
    try {
      const spec = readManifests(parts);
      if (isClusterOfUser) await live(spec.objects.filter(isFollowed));
      else await applyChanges(spec);
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
    root,
    folders: [...manifestFolders, ...code],
    changed,
    matters: (file) =>
      (isYaml(file) ? manifestFolders : code).some((folder) => file.startsWith(`${folder}/`)) && isSource(file),
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
