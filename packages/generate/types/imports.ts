import { posix } from 'node:path';
import type { Folder } from '../project.ts';

/** What generated files import of the engine, each with the file that has it. */
const files = {
  Condition: 'conditions.ts',
  KubeObject: 'kube-object.ts',
  addKinds: 'known-kinds.ts',
} as const;

export type Noun = keyof typeof files;

/** Lines that import these by the path of the engine where it is in the project, else from its package. `file` is the importing one. */
export function importsOf(names: readonly Noun[], file: string, { hasEngine }: Pick<Folder, 'hasEngine'>): string {
  if (!hasEngine) return lineOf(names, '@knudge/controller');
  const domain = posix.relative(posix.dirname(file), 'packages/controller/domain');
  return names.map((name) => lineOf([name], `${domain}/${files[name]}`)).join('');
}

function lineOf(names: readonly Noun[], from: string): string {
  const isType = names.every((name) => name !== 'addKinds');
  const words = [`import${isType ? ' type' : ''} {`, names.join(', '), '} from', `'${from}';`];
  return `${words.join(' ')}\n`;
}
