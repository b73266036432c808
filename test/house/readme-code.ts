import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packages } from '../../tools/api/entry.ts';
import { root, textOf } from './files.ts';

/** The TypeScript of a package's README, one block after the other. */
export function codeIn(name: string): string {
  const blocks = [...textOf(`packages/${name}/README.md`).matchAll(/^```ts\n(.*?)^```$/gms)];
  return blocks.map(([, code = '']) => code).join('\n');
}

/** The names that a text imports from `@knudge/<name>`. */
export function importedIn(code: string, name: string): readonly string[] {
  const [, names = ''] = new RegExp(`^import \\{([^}]*)\\} from '@knudge/${name}';$`, 'm').exec(code) ?? [];
  return names.split(',').map((one) => one.trim().replace(/^type /, ''));
}

/** What the comments `// → …` say that it prints. */
export function printedBy(code: string): string {
  return [...code.matchAll(/ \/\/ → (.*)$/gm)].map(([, line = '']) => `${line}\n`).join('');
}

export interface Copied {
  /** A folder for each package, with `readme.mts` in it. */
  readonly folder: string;
  readonly remove: () => void;
}

/** The code of every README as a file of its own, whose import is that of the package's entry file. */
export function copyCode(): Copied {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-readme-'));
  for (const name of packages) {
    mkdirSync(join(folder, name));
    const code = codeIn(name).replaceAll(`'@knudge/${name}'`, `'${join(root, 'packages', name, 'index.ts')}'`);
    writeFileSync(join(folder, name, 'readme.mts'), `${code}\nexport {};\n`);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** What the compiler says against them. */
export function checkTypes(folder: string): string {
  const settings = { noUnusedLocals: false, rewriteRelativeImportExtensions: false };
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')], ...settings };
  const files = packages.map((name) => `${name}/readme.mts`);
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}

/** A process that runs one of them, in its folder and with nothing in its environment but this. */
export function start(copied: Copied, name: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['readme.mts'], { cwd: join(copied.folder, name), env: { TZ: 'UTC', ...env } });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  const ended = new Promise<typeof said & { readonly status: number | null }>((resolve) => {
    child.once('close', (status) => resolve({ ...said, status }));
  });
  return { end: () => child.kill('SIGTERM'), ended };
}
