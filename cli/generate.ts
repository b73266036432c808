import { Argument, type Command } from 'commander';
import type { Generated } from '../packages/generate/generate.ts';
import { root } from './about.ts';
import { formerAccounts } from './doctor/checks/former.ts';
import { exitCodes } from './exit-codes.ts';
import { type Common, leaf } from './leaf.ts';
import { show } from './show.ts';

const parts = ['types', 'manifests'] as const;

type Part = (typeof parts)[number];

/** `knudge generate`: makes the files of a project that follow from its controller and its custom resources. */
export function generateCommand(): Command {
  return leaf('generate', 'make the types and manifests that follow from crds/, the resources and the functions')
    .addArgument(new Argument('[part]', 'these alone; without it both').choices(parts))
    .option('--check', 'change nothing, and fail if a file is not what it would be')
    .action(generateAll);
}

interface Options extends Common {
  readonly check?: boolean;
}

async function generateAll(part: Part | undefined, { check = false, json }: Options): Promise<void> {
  // Imported here because it loads a compiler of schemas.
  const { generate } = await import('../packages/generate/generate.ts');
  const files = await generate({ root, parts: part === undefined ? parts : [part], check, formerAccounts });
  show({ files }, () => textOf(files), { ...(json && { json }) });
  if (files.some(({ is }) => is === 'stale')) process.exitCode = exitCodes.failed;
}

function textOf(files: readonly Generated[]): string {
  if (files.length === 0) return 'every generated file is up to date';
  return files.map(sentenceOf).join('\n');
}

function sentenceOf({ file, is, command }: Generated): string {
  if (is !== 'stale') return `${file} ${is}`;
  return `${file} is not what crds/, the resources and functions/ say: run \`${command}\``;
}
