import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { templateFor, writeNew } from './files.ts';

interface Making {
  /** The version of Knudge. */
  readonly version: string;
  /** The folder in which the folder of the project is made. */
  readonly into: string;
  /** The folder of the packages' tarballs. */
  readonly packages?: string;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Where a project keeps the tarballs that no registry has. */
const vendor = 'vendor';

/**
 * Makes a project with one resource. Throws `misuse` for a name that is not one of npm and of Kubernetes, a folder that is there, and
 * tarballs that are missing.
 */
export function createProject(name: string, { version, into, packages }: Making): { readonly folder: string } {
  if (!/^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/.test(name)) {
    throw new KnudgeError('misuse', `"${name}" is not a name: take at most 40 of a-z, 0-9 and -, such as demo`);
  }
  if (/^(default$|(kube|knative)-)/.test(name)) {
    throw new KnudgeError(
      'misuse',
      `"${name}" is a namespace of Kubernetes or Knative: take another name, such as demo`,
    );
  }
  const folder = join(into, name);
  if (existsSync(folder)) throw new KnudgeError('misuse', `${folder} is there already: take another name`);
  const tarballs = tarballsOf(version, packages === undefined ? ownTarballs() : resolve(packages));
  const files = [...templateFor(name)].map(([path, text]): [string, string] => {
    if (path === 'package.json') return [path, manifestOf(name, JSON.parse(text) as Manifest, tarballs)];
    return [path === 'gitignore' ? '.gitignore' : path, text];
  });
  writeNew(folder, new Map(files));
  if (tarballs.size > 0) mkdirSync(join(folder, vendor));
  for (const tarball of tarballs.values()) copyFileSync(tarball, join(folder, vendor, fileOf(tarball)));
  lock(folder);
  return { folder };
}

/** `npm ci` needs a lockfile. It takes npm's registry for packages of others. */
function lock(folder: string): void {
  const { status, stderr } = spawnSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(
    `npm could not lock the packages, so run \`npm install\` in the place of \`npm ci\`:\n${stderr}\n`,
  );
}

function manifestOf(name: string, template: Manifest, tarballs: ReadonlyMap<string, string>): string {
  const files = Object.fromEntries([...tarballs].map(([own, file]) => [own, `file:${vendor}/${fileOf(file)}`]));
  const dependencies = pick(files, (own) => own in template.dependencies);
  const others = pick(files, (own) => !(own in template.dependencies));
  const overrides = Object.fromEntries(Object.keys(files).map((own) => [own, `$${own}`]));
  const manifest = {
    ...template,
    name,
    dependencies: { ...template.dependencies, ...dependencies },
    devDependencies: { ...template.devDependencies, ...others },
    ...(tarballs.size > 0 && { overrides }),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function pick(all: Readonly<Record<string, string>>, isWanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)));
}

/** The tarballs of this version by the names of their packages; none without a folder. */
function tarballsOf(version: string, folder: string | undefined): ReadonlyMap<string, string> {
  if (folder === undefined) return new Map();
  const end = `-${version}.tgz`;
  const found = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => /^knudge-[a-z]/.test(file) && file.endsWith(end) && !/^knudge-(chart|npm)-/.test(file))
    .map((file): [string, string] => [`@knudge/${file.slice('knudge-'.length, -end.length)}`, join(folder, file)]);
  if (found.length === 0) {
    throw new KnudgeError(
      'misuse',
      `${folder} has no tarballs of version ${version}: run \`npm run pack\` in a clone of Knudge`,
    );
  }
  return new Map(found);
}

/**
 * The folder of the tarballs that this command line was installed from: npm writes it into the package.json of the folder above
 * node_modules. In a clone of Knudge it is dist/. Undefined if it came from a registry.
 */
function ownTarballs(): string | undefined {
  const above = [`${import.meta.dirname}/../../../package.json`, `${import.meta.dirname}/../../package.json`];
  for (const file of above) {
    if (!existsSync(file)) continue;
    const { dependencies = {}, workspaces } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>;
      readonly workspaces?: readonly string[];
    };
    if (workspaces !== undefined) return join(dirname(file), 'dist');
    const from = dependencies['knudge'];
    if (from?.startsWith('file:')) return dirname(resolve(dirname(file), from.slice('file:'.length)));
  }
  return undefined;
}

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
