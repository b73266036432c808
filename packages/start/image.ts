import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KnudgeError } from '../controller/domain/errors.ts';

const file = fileURLToPath(new URL('in-image.ts', import.meta.url));

/** The image of a project's functions, as its manifests name it. */
export interface ImageName {
  readonly repository: string;
  readonly version: string;
}

/** The name of a project's image, by the name and the version in its package.json. Throws `misuse` if one of them is missing. */
export function imageNameIn(root: string): ImageName {
  const path = join(root, 'package.json');
  const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<'name' | 'version', string>>;
  if (name === undefined || version === undefined) {
    throw new KnudgeError('misuse', `${path} lacks a name or a version, by which the image of the functions is called`);
  }
  // A tag has no plus.
  return { repository: name.replace(/^@/, ''), version: version.replaceAll('+', '-') };
}

/** The program of an image as text for a bundler: it runs any process of the controller that this file exports. */
export function imageEntry(table: string): string {
  return [
    `import { controller } from ${JSON.stringify(table)};`,
    `import { runInImage } from ${JSON.stringify(file)};`,
    'runInImage(controller, process.argv.slice(2), process.env);',
  ].join('\n');
}
