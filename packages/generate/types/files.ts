import type { Crd, Folder, Project } from '../project.ts';
import { homeOf, kindsFileIn, staleTypesIn } from './homes.ts';
import { importsOf, type Noun } from './imports.ts';
import { kindsOf, servedKinds } from './kinds.ts';
import { insistOnStatus } from './status-fields.ts';
import { typesOf } from './types-of.ts';

type Files = ReadonlyMap<string, string | undefined>;

/** All that follows from crds/ and the resources, by its path; undefined for types whose definition is gone. */
export async function typeFiles(project: Project): Promise<Files> {
  insistOnStatus(
    project.controller.resources,
    project.crds.map(({ definition }) => definition),
  );
  return new Map<string, string | undefined>([
    ...(await typesIn(project)),
    [kindsFileIn(project), kindsOf(project, kindsFileIn(project))],
    ...staleTypesIn(project).map((path): [string, undefined] => [path, undefined]),
  ]);
}

/**
 * What a controller that has a new resource imports when it is loaded, made from crds/ alone: none where the file of kinds knows
 * every definition.
 */
export async function draftFiles(folder: Folder): Promise<Files> {
  const path = kindsFileIn(folder);
  const present = folder.textOf(path) ?? '';
  const served = servedKinds(folder.crds);
  if (served.every(({ key }) => present.includes(`'${key}'`)) && present !== '') return new Map();
  return new Map([
    ...(await typesIn(folder)),
    [path, kindsOf({ ...folder, parentKinds: served, childKinds: [] }, path)],
  ]);
}

function typesIn(folder: Folder): Promise<readonly (readonly [path: string, text: string])[]> {
  return Promise.all(
    folder.crds.map(async (crd: Crd) => {
      const path = homeOf(crd, folder);
      const importing = (names: readonly Noun[]) => importsOf(names, path, folder);
      return [path, await typesOf(crd, { importing, command: folder.commands.types })] as const;
    }),
  );
}
