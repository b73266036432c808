import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fetchPackages } from '../../packages/image/debian/fetch.ts';
import { BuildError } from '../build/errors.ts';
import { output, succeeds } from '../debian/commands.ts';

/** Debian 12's Prometheus, of which promtool and the server are used: they load nothing but the C library. */
const pins = {
  prometheus: {
    version: '2.42.0+ds-5+deb12u1',
    sha256: {
      x64: '81d59a24fce84f7fbe97a45a4f2914b6a5881b5cd1db2a6a0e129e515e1a5f55',
      arm64: 'ca131aa102390083398afbc80be9c8dd1dda78f9f92154fc00df8f7f1f4556e9',
    },
  },
} as const;

const architectures = { x64: { node: 'x64', debian: 'amd64' }, arm64: { node: 'arm64', debian: 'arm64' } } as const;

const names = ['promtool', 'prometheus'] as const;
type Name = (typeof names)[number];

const otherwise = 'install Prometheus so that "promtool" and "prometheus" are on the PATH';

/**
 * The paths of promtool and of the server: those on the PATH, or those of Debian's package, which is fetched and unpacked into the
 * cache. Nothing is installed. Throws BuildError with what to do if they cannot be had.
 */
export async function prometheusPrograms(log: (line: string) => void): Promise<Readonly<Record<Name, string>>> {
  if (names.every((name) => succeeds(name, '--version'))) return { promtool: 'promtool', prometheus: 'prometheus' };
  const { platform, arch } = process;
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) {
    throw new BuildError(
      `Prometheus is fetched for Linux on x64 and arm64, and this is ${platform} on ${arch}: ${otherwise}.`,
    );
  }
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'knudge', 'debian');
  const at = (name: Name): string => join(cache, `${name}-${pins.prometheus.sha256[arch]}`);
  const programs = { promtool: at('promtool'), prometheus: at('prometheus') };
  if (names.every((name) => existsSync(programs[name]))) return programs;
  const packages = await fetchPackages(pins, {
    arch: architectures[arch],
    log,
    otherwise,
    pinnedIn: 'tools/prometheus/programs.ts',
    what: 'The alerts and the dashboards are tried with Prometheus of Debian',
  });
  unpack(packages.get('prometheus') ?? '', { cache, programs });
  return programs;
}

/** Two that do so at once both succeed: they put the same there. */
function unpack(
  file: string,
  { cache, programs }: { readonly cache: string; readonly programs: Readonly<Record<Name, string>> },
): void {
  const draft = mkdtempSync(join(cache, 'draft-'));
  try {
    output('dpkg-deb', '--extract', file, draft);
    for (const name of names) {
      const unpacked = join(draft, 'usr/bin', name);
      chmodSync(unpacked, 0o755);
      renameSync(unpacked, programs[name]);
    }
  } finally {
    rmSync(draft, { recursive: true });
  }
}
