import { type Held, hold } from './hold.ts';
import { manifestFiles } from './manifests/files.ts';
import { type Folder, folderAt, type Part, type Project, projectIn } from './project.ts';
import { draftFiles, typeFiles } from './types/files.ts';

/** What is to be generated, and where. */
export interface Generating {
  /** The folder of the project. */
  readonly root: string;
  readonly parts: readonly Part[];
  /** Changes nothing. */
  readonly check: boolean;
  /** Accounts that functions of older versions had, which policies are to name as well. */
  readonly formerAccounts?: readonly string[];
}

/** A file that was not what it must be, and what people type to make it so. */
export interface Generated extends Held {
  readonly command: string;
}

/**
 * Generates what follows from the controller of a project; returns the files that were not what they must be. Throws an Error that names
 * what is wrong in the definition of the controller or of a resource.
 */
export async function generate({ root, parts, check, formerAccounts }: Generating): Promise<readonly Generated[]> {
  const folder = folderAt(root);
  const drafted = parts.includes('types') && folder.has('functions/table.ts') ? await draft(folder, check) : [];
  // The controller may not even load before the kinds of all definitions are there.
  if (check && drafted.length > 0) return drafted;
  const project = projectIn(folder, formerAccounts);
  const all = new Map(drafted.map((one) => [one.file, one]));
  for (const part of parts) {
    const held = await hold({ root, files: await filesOf[part](project), check });
    for (const one of held) all.set(one.file, { ...one, command: folder.commands[part] });
  }
  return [...all.values()];
}

const filesOf: Readonly<Record<Part, (project: Project) => Promise<ReadonlyMap<string, string | undefined>>>> = {
  types: typeFiles,
  manifests: manifestFiles,
};

async function draft(folder: Folder, check: boolean): Promise<readonly Generated[]> {
  const held = await hold({ root: folder.root, files: await draftFiles(folder), check });
  return held.map((one) => ({ ...one, command: folder.commands.types }));
}
