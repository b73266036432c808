import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { KnudgeError } from '../packages/controller/domain/errors.ts';
import { BuildError } from '../packages/image/errors.ts';
import { root as project } from './about.ts';
import { type Common, leaf } from './leaf.ts';
import { show } from './show.ts';

interface Options extends Common {
  readonly out: string;
  readonly root?: string;
}

/** `knudge image`: builds the image of a project's functions, without Docker. */
export function imageCommand(): Command {
  return leaf('image', 'build the image of the functions, as an OCI archive, without Docker')
    .option('--out <folder>', 'where the archive goes', 'dist')
    .option('--root <folder>', 'write its file system alone into this folder, as the Dockerfile does')
    .action(build);
}

async function build({ out, root, json }: Options): Promise<void> {
  if (root !== undefined && existsSync(root) && readdirSync(root).length > 0)
    throw new KnudgeError('misuse', `${root} is not empty: name an empty folder, or one that is not there yet`);
  // Imported here because only this command needs it.
  const { buildProjectImage, layProjectRoot } = await import('../packages/image/project.ts');
  const log = (line: string): void => console.error(line);
  const how = { ...(json && { json }) };
  try {
    if (root !== undefined) {
      await layProjectRoot(project, resolve(root), log);
      show({ root }, () => `${root} has the file system of the image`, how);
      return;
    }
    const { name, archive, digest } = await buildProjectImage(project, resolve(out), log);
    show({ name, archive, digest }, () => `${archive} is the image ${name}\n${digest}`, how);
  } catch (error) {
    if (error instanceof BuildError) throw new KnudgeError('misuse', error.message, { cause: error });
    throw error;
  }
}
