import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { yamlFiles } from '../packages/mesh/manifests/documents.ts';
import { manifestFolders, readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { root } from './about.ts';

type Manifests = ReturnType<typeof readManifests>;

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

/** Names every manifest with its size and the moment of its last change. */
function stampOf(project: string): string {
  return manifestFolders
    .filter((folder) => existsSync(join(project, folder)))
    .flatMap((folder) => yamlFiles(project, folder))
    .map((file) => `${file} ${stampOfFile(join(project, file))}`)
    .join('\n');
}

/** A file may have gone since its folder was read. */
function stampOfFile(file: string): string {
  const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
  return `${size} ${mtimeMs}`;
}
