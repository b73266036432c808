import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BuildError } from '../build/errors.ts';
import { output, succeeds } from '../debian/commands.ts';
import { fetchPackages } from '../debian/fetch.ts';

/** Debian 12's Prometheus, of which promtool alone is used: it loads nothing but the C library. */
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

const otherwise = 'install Prometheus so that "promtool" is on the PATH';

/**
 * The path of promtool: the one on the PATH, or that of Debian's package, which is fetched and unpacked into the cache.
 * Nothing is installed. Throws BuildError with what to do where it cannot be had.
 */
export async function promtool(log: (line: string) => void): Promise<string> {
  if (succeeds('promtool', '--version')) return 'promtool';
  const { platform, arch } = process;
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) {
    throw new BuildError(
      `promtool is fetched for Linux on x64 and arm64, and this is ${platform} on ${arch}: ${otherwise}.`,
    );
  }
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'knudge', 'debian');
  const program = join(cache, `promtool-${pins.prometheus.sha256[arch]}`);
  if (existsSync(program)) return program;
  const packages = await fetchPackages(pins, {
    ...{ arch: architectures[arch], log, otherwise, pinnedIn: 'tools/prometheus/promtool.ts' },
    what: 'The alerts are tried with promtool of Debian',
  });
  unpack(packages.get('prometheus') ?? '', { cache, program });
  return program;
}

/** Two that do so at once both succeed: what they put there is the same. */
function unpack(file: string, { cache, program }: { readonly cache: string; readonly program: string }): void {
  const draft = mkdtempSync(join(cache, 'draft-'));
  try {
    output('dpkg-deb', '--extract', file, draft);
    const unpacked = join(draft, 'usr/bin/promtool');
    chmodSync(unpacked, 0o755);
    renameSync(unpacked, program);
  } finally {
    rmSync(draft, { recursive: true });
  }
}
