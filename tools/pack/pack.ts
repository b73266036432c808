import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BuildError } from '../build/errors.ts';
import { type Package, packages } from './packages.ts';
import { makeTarballs } from './tarballs.ts';

const usage = `A tarball of each package, for a project that stands outside of this repository.

  npm run pack -- [NAME...] [--out FOLDER]

NAME...         packages, such as controller; default all
--out FOLDER    where to; default dist

Nothing is published. Ends with 1 where a package cannot be packed, and with 2 where the command is wrong.`;

const root = join(import.meta.dirname, '../..');

try {
  main();
} catch (error) {
  const isUsage = String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS_');
  if (!(error instanceof BuildError || isUsage)) throw error;
  console.error((error as Error).message);
  process.exitCode = isUsage ? 2 : 1;
}

function main(): void {
  const { values, positionals } = parseArgs({
    options: { out: { type: 'string', default: join(root, 'dist') }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help === true) {
    console.log(usage);
    return;
  }
  const wanted = wantedBy(positionals);
  if (wanted === undefined) return;
  const out = resolve(values.out);
  for (const name of makeTarballs({ root, wanted, out })) console.log(join(out, name));
}

function wantedBy(names: readonly string[]): readonly Package[] | undefined {
  const unknown = names.filter((name) => !packages.some((one) => one.name === name));
  if (unknown.length > 0) {
    console.error(`There is no package ${unknown.join(', ')}, only ${packages.map(({ name }) => name).join(', ')}.`);
    process.exitCode = 2;
    return undefined;
  }
  return packages.filter(({ name }) => names.length === 0 || names.includes(name));
}
