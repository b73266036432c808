import { existsSync } from 'node:fs';
import { succeeds } from '../../debian/commands.ts';
import { installMissing, missingOf, type Packages } from '../../debian/install.ts';
import { pluginFolder } from './settings.ts';

/** Debian's packages, and checks whether what the node needs of each is there, from any origin. */
const needed: Packages = {
  iproute2: () => succeeds('which', 'ip'),
  'util-linux': () => succeeds('which', 'nsenter', 'unshare', 'mount'),
  containerd: () => succeeds('which', 'containerd', 'containerd-shim-runc-v2', 'ctr'),
  runc: () => succeeds('which', 'runc'),
  'containernetworking-plugins': () =>
    ['ptp', 'host-local', 'loopback'].every((name) => existsSync(`${pluginFolder}/${name}`)),
  nftables: () => succeeds('which', 'nft'),
  // It must be static, because it is alone in its image, without libraries.
  'busybox-static': () => succeeds('which', 'busybox') && !succeeds('sh', '-c', 'ldd "$(which busybox)"'),
};

export function missingPackages(): readonly string[] {
  return missingOf(needed);
}

/** Installs what is missing with apt-get, with progress on `log`. Throws ClusterError if that fails. */
export function installPackages(log: (line: string) => void): Promise<void> {
  return installMissing('A real node', needed, log);
}
