import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { packages } from './packages.ts';

/** The files that can be packed, as paths from the root. */
export interface Sources {
  /** TypeScript and JavaScript. */
  readonly code: ReadonlySet<string>;
  /** What code reads while it runs. */
  readonly others: ReadonlySet<string>;
  readonly text: (path: string) => string;
}

/** Tests, the cases that compare the embedded API with a real one, and what the console is built of and into. */
const forTests = /\/(?:test|fidelity)\/|^packages\/console\/(?:pages|model|dist)\//;
/** These are made anew for the package. */
const made = /(?:\.md|\/package\.json)$/;

/** The files of all packages in a tree. */
export function readSources(root: string): Sources {
  const files = packages
    .flatMap(({ folder }) => filesIn(root, folder))
    .filter((path) => !forTests.test(path) && !made.test(path));
  const isCode = (path: string): boolean => /\.[jt]s$/.test(path);
  return {
    code: new Set(files.filter(isCode)),
    others: new Set(files.filter((path) => !isCode(path))),
    text: (path) => readFileSync(join(root, path), 'utf8'),
  };
}

function filesIn(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(root, path) : [path];
    })
    .sort();
}
