import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('function.ts', import.meta.url));

/** The command that runs one process of the project in a folder, by the name of a function or Service, or `source`. */
export function functionCommand(name: string, root: string): readonly [program: string, ...args: string[]] {
  return [process.execPath, file, '--root', root, name];
}
