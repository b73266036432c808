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
import { BuildError } from '../build/errors.ts';
import { ClusterError } from '../control-plane/errors.ts';
import { output, run, succeeds } from '../debian/commands.ts';
import type { Architecture } from './architecture.ts';
import { pins } from './pins.ts';
import { sources } from './sources.ts';

type Name = keyof typeof pins;
type Log = (line: string) => void;

/** The files of the pinned packages by name, from the cache or from Debian now. Throws BuildError where one cannot be had. */
export async function debianPackages(arch: Architecture, log: Log): Promise<ReadonlyMap<Name, string>> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'knudge', 'debian');
  const names = Object.keys(pins) as Name[];
  const files = new Map(names.map((name) => [name, join(cache, `${pins[name].sha256[arch.node]}.deb`)]));
  const missing = names.filter((name) => !existsSync(files.get(name) ?? ''));
  if (missing.length === 0) return files;
  if (!succeeds('which', 'apt-get', 'dpkg-deb')) {
    throw new BuildError(
      'The image has libraries of Debian, which apt-get and dpkg-deb fetch and unpack, and they are not here: use the Dockerfile.',
    );
  }
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(tmpdir(), 'knudge-debian-'));
  try {
    await download(missing, arch, { draft, log });
    for (const name of missing) keep(name, files.get(name) ?? '', { draft, arch });
  } finally {
    rmSync(draft, { recursive: true });
  }
  return files;
}

interface Place {
  readonly draft: string;
  readonly log: Log;
}

/** With lists of its own, so that it is the same on any machine that has apt-get, and changes nothing there. */
async function download(names: readonly Name[], arch: Architecture, { draft, log }: Place): Promise<void> {
  const wanted = names.map((name) => `${name}=${pins[name].version}`);
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
      await run(
        { what: `Fetching ${wanted.join(', ')} of Debian`, command: 'sh', args: ['-c', get, 'sh', ...options] },
        log,
      );
      return;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      log(error.message);
    }
  }
  throw new BuildError(
    `${wanted.join(', ')} cannot be had from Debian: if a newer version has taken its place, pin that one in tools/image/pins.ts.`,
  );
}

function keep(name: Name, kept: string, { draft, arch }: { draft: string; arch: Architecture }): void {
  const files = output('sh', '-c', `ls ${join(draft, name)}_*.deb`)
    .trim()
    .split('\n');
  const [file = ''] = files;
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  const wanted = pins[name].sha256[arch.node];
  if (found !== wanted) {
    throw new BuildError(`${file} has the checksum ${found} and not ${wanted}, which is pinned: it is not used.`);
  }
  const almost = `${kept}.${String(process.pid)}`;
  copyFileSync(file, almost);
  renameSync(almost, kept);
}
