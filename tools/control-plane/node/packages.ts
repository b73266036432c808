import { existsSync } from 'node:fs';
import { ClusterError } from '../errors.ts';
import { run, succeeds } from './commands.ts';
import { pluginFolder } from './settings.ts';

/** Debian's packages, and whether what the node needs of each is there, wherever it is from. */
const needed: Readonly<Record<string, () => boolean>> = {
  iproute2: () => succeeds('which', 'ip'),
  'util-linux': () => succeeds('which', 'nsenter', 'unshare', 'mount'),
  containerd: () => succeeds('which', 'containerd', 'containerd-shim-runc-v2', 'ctr'),
  runc: () => succeeds('which', 'runc'),
  'containernetworking-plugins': () =>
    ['ptp', 'host-local', 'loopback'].every((name) => existsSync(`${pluginFolder}/${name}`)),
  nftables: () => succeeds('which', 'nft'),
  // Alone in its image, it has no libraries to load.
  'busybox-static': () => succeeds('which', 'busybox') && !succeeds('sh', '-c', 'ldd "$(which busybox)"'),
};

export function missingPackages(): readonly string[] {
  return Object.keys(needed).filter((name) => needed[name]?.() === false);
}

/** Installs what is missing with apt-get, with progress on `log`. Throws ClusterError where that does not work. */
export async function installPackages(log: (line: string) => void): Promise<void> {
  const missing = missingPackages();
  if (missing.length === 0) return;
  const list = missing.join(' ');
  // Without --no-remove, apt-get would throw out another container runtime to make room.
  const install = ['install', '--yes', '--no-remove', '--no-install-recommends', ...missing];
  try {
    await run({ what: 'Asking Debian which packages there are', command: 'apt-get', args: ['update'] }, log);
    await run({ what: `Installing ${list}`, command: 'apt-get', args: install }, log);
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    const [reason = 'it says not why'] = error.message.split('\n').filter((line) => line.startsWith('E: '));
    throw new ClusterError(
      `A real node needs the packages ${list} of Debian, which apt-get cannot install here (${reason}): install them, then try again.`,
    );
  }
  const still = missingPackages();
  if (still.length > 0)
    throw new ClusterError(`${still.join(' ')} was installed, and what the node needs of it is not there.`);
}
