import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';
import { mutated } from './mutated.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** What the simulator, the scenarios and the oracles are made of, and what they read. */
const parts = [
  ...[
    'packages',
    'resources',
    'cli',
    'functions',
    'crds',
    'eventing',
    'deploy',
    'tools',
    'examples',
    'test/build',
    'test/kube',
  ],
  // What shows a fault where the simulation has nothing of what is broken.
  ...['test/crds', 'test/fixtures/events', 'test/functions'],
];
const files = ['package.json', 'tsconfig.json'];

/** What is broken. */
const code = ['packages', 'resources', 'functions'];

/** The product without a fault lies here in a copy: the oracles judge by it, or a fault would judge itself. */
const pristine = 'pristine';

/** The project once more, to be broken. */
export interface Copy {
  readonly root: string;
  /** Takes the mutant before away, and puts this one in. */
  become(mutant: Mutant): void;
  remove(): void;
}

/** Makes a copy in a folder of its own under the system's temporary files. */
export function copyProject(): Copy {
  const copy = mkdtempSync(join(tmpdir(), 'knudge-mutants-'));
  for (const part of [...parts, ...files, 'test/faults']) copyOver(join(root, part), join(copy, part));
  for (const part of code) copyOver(join(root, part), join(copy, pristine, part));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  judgeByPristine(join(copy, 'test/faults/oracles'));
  let changed: readonly string[] = [];
  return {
    root: copy,
    become: ({ edits }) => {
      for (const file of changed) copyOver(join(copy, pristine, file), join(copy, file));
      const texts = mutated(edits, (file) => readFileSync(join(copy, file), 'utf8'));
      for (const [file, text] of texts) writeFileSync(join(copy, file), text);
      changed = [...texts.keys()];
    },
    remove: () => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function copyOver(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !/\/(?:node_modules|fidelity)$/.test(path) });
}

function judgeByPristine(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(
      join(folder, name),
      text.replaceAll(/(['"](?:\.\.\/)+)(packages|resources|functions)\//g, `$1${pristine}/$2/`),
    );
  }
}
