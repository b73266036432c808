import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { kebabOf } from '../../controller/functions/kebab.ts';
import type { Crd, Folder } from '../project.ts';
import { servedKinds } from './kinds.ts';

/** The file of a custom resource's types: where it is already, else in the folder of its resource. */
export function homeOf(crd: Crd, folder: Folder): string {
  const [present] = typesIn(folder).filter(({ from }) => from === crd.path);
  if (present !== undefined) return present.path;
  const [served] = servedKinds([crd]);
  return `resources/${kebabOf(served?.kind ?? '')}/types.ts`;
}

/** The file of the kinds: where it is already, else beside the resources. */
export function kindsFileIn(folder: Folder): string {
  const [present] = generatedIn(folder, '/kinds.ts');
  return present?.path ?? 'resources/managed/kinds.ts';
}

/** Files of types whose definition is gone. */
export function staleTypesIn(folder: Folder): readonly string[] {
  return typesIn(folder)
    .filter(({ from }) => !folder.crds.some(({ path }) => path === from))
    .map(({ path }) => path);
}

function typesIn(folder: Folder): readonly Found[] {
  return generatedIn(folder, '/types.ts').filter(({ from }) => /^crds\/\S+\.yaml$/.test(from));
}

interface Found {
  readonly path: string;
  /** What its first line says that it is made from. */
  readonly from: string;
}

function generatedIn({ root, has, textOf }: Folder, ending: string): readonly Found[] {
  if (!has('resources')) return [];
  return readdirSync(join(root, 'resources'), { recursive: true, encoding: 'utf8' })
    .map((path) => `resources/${path}`)
    .filter((path) => path.endsWith(ending))
    .sort()
    .flatMap((path) => {
      const [, from] = /^\/\/ Generated from (.*) by `[^`]+`; do not edit\.\n/.exec(textOf(path) ?? '') ?? [];
      return from === undefined ? [] : [{ path, from }];
    });
}
