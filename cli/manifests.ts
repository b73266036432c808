import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { root } from './about.ts';

let read: ReturnType<typeof readManifests> | undefined;

/** The manifests of the project, read once for the whole process. Throws `misuse` for those that are wrong. */
export function manifests(): ReturnType<typeof readManifests> {
  read ??= readManifests({ root });
  return read;
}
