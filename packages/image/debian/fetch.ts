import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuildError } from '../errors.ts';
import { output, run, succeeds } from './commands.ts';
import { sources } from './sources.ts';

/** One version of a package of Debian. */
export interface PinnedPackage {
  readonly version: string;
  /** Checksums of the package's file, by Node's name of the architecture. */
  readonly sha256: { readonly x64: string; readonly arm64: string };
}

export interface Fetching {
  readonly arch: { readonly node: 'x64' | 'arm64'; readonly debian: 'amd64' | 'arm64' };
  readonly log: (line: string) => void;
  /** The beginning of the error if Debian's tools are missing: what needs the packages. */
  readonly what: string;
  /** The end of that error: what to do instead. */
  readonly otherwise: string;
  /** The file that pins them. */
  readonly pinnedIn: string;
}

/** The files of pinned packages by name, from the cache or from Debian now. Throws BuildError if one cannot be had. */
export async function fetchPackages<Name extends string>(
  pins: Readonly<Record<Name, PinnedPackage>>,
  fetching: Fetching,
): Promise<ReadonlyMap<Name, string>> {
  const { arch, what, otherwise } = fetching;
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'knudge', 'debian');
  const names = Object.keys(pins) as Name[];
  const files = new Map(names.map((name) => [name, join(cache, `${pins[name].sha256[arch.node]}.deb`)]));
  const missing = names.filter((name) => !existsSync(files.get(name) ?? ''));
  if (missing.length === 0) return files;
  if (!succeeds('which', 'apt-get', 'dpkg-deb')) {
    throw new BuildError(`${what}, which apt-get and dpkg-deb fetch and unpack, and they are not here: ${otherwise}.`);
  }
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(tmpdir(), 'knudge-debian-'));
  try {
    await download(
      missing.map((name) => `${name}=${pins[name].version}`),
      { ...fetching, draft },
    );
    for (const name of missing)
      keep(join(draft, `${name}_*.deb`), { kept: files.get(name) ?? '', wanted: pins[name].sha256[arch.node] });
  } finally {
    rmSync(draft, { recursive: true });
  }
  return files;
}

/** With lists of its own, so that it works alike on any machine with apt-get, and changes nothing there. */
async function download(
  wanted: readonly string[],
  { arch, log, pinnedIn, draft }: Fetching & { readonly draft: string },
): Promise<void> {
  const list = wanted.join(', ');
  for (const [index, lines] of sources().entries()) {
    const state = join(draft, String(index));
    mkdirSync(join(state, 'lists/partial'), { recursive: true });
    mkdirSync(join(state, 'cache/archives/partial'), { recursive: true });
    writeFileSync(join(state, 'sources.list'), `${lines.join('\n')}\n`);
    const options = [
      `Dir::Etc::sourcelist=${join(state, 'sources.list')}`,
      'Dir::Etc::sourceparts=-',
      `Dir::State::lists=${join(state, 'lists')}`,
      `Dir::Cache=${join(state, 'cache')}`,
      `APT::Architecture=${arch.debian}`,
      `APT::Architectures=${arch.debian}`,
      'APT::Sandbox::User=root',
      'Acquire::Languages=none',
      'Acquire::Check-Valid-Until=false',
    ].flatMap((option) => ['-o', option]);
    const get = `cd ${draft} && apt-get "$@" update && apt-get "$@" download ${wanted.join(' ')}`;
    try {
      await run({ what: `Fetching ${list} of Debian`, command: 'sh', args: ['-c', get, 'sh', ...options] }, log);
      return;
    } catch (error) {
      if (!(error instanceof BuildError)) throw error;
      log(error.message);
    }
  }
  throw new BuildError(
    `${list} cannot be had from Debian: if a newer version has taken its place, pin that one in ${pinnedIn}.`,
  );
}

function keep(pattern: string, { kept, wanted }: { readonly kept: string; readonly wanted: string }): void {
  const [file = ''] = output('sh', '-c', `ls ${pattern}`).trim().split('\n');
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (found !== wanted) {
    throw new BuildError(`${file} has the checksum ${found} and not ${wanted}, which is pinned: it is not used.`);
  }
  const almost = `${kept}.${String(process.pid)}`;
  copyFileSync(file, almost);
  renameSync(almost, kept);
}
