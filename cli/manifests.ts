import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { root } from './about.ts';

type Manifests = ReturnType<typeof readManifests>;

const folders = ['crds', 'deploy', 'eventing'];

let kept: { readonly manifests: Manifests; readonly stamp: string } | undefined;

/**
 * The manifests of the project, read anew when one of their files has changed since: the console lives as long as the mesh, which follows
 * those files too. Throws `misuse` for those that are wrong.
 */
export function manifests(project = root): Manifests {
  const stamp = stampOf(project);
  if (kept?.stamp !== stamp) kept = { manifests: readManifests({ root: project }), stamp };
  return kept.manifests;
}

/** Names every file below the folders with its size and the moment of its last change. */
function stampOf(project: string): string {
  const files = folders
    .map((folder) => join(project, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return files.map((file) => stampOfFile(file)).join('\n');
}

/** A file may have gone since its folder was read. */
function stampOfFile(file: string): string {
  const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
  return `${file} ${size} ${mtimeMs}`;
}
