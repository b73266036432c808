import { readFileSync } from 'node:fs';
import { succeeds } from '../../debian/commands.ts';
import { cgroupMounts, whyNoCgroups } from './cgroups.ts';
import { missingPackages } from './packages.ts';

/**
 * Why there can be no real node on this machine, and how to go on, in a sentence; undefined if there can be one, perhaps
 * after `installPackages`.
 */
export function whyNoNode(env: NodeJS.ProcessEnv = process.env): string | undefined {
  for (const name of ['KUBEBUILDER_ASSETS', 'KNUDGE_CLUSTER_KUBECONFIG']) {
    if (env[name]) return `A real node belongs to a control plane that is built here: unset ${name}.`;
  }
  if (process.platform !== 'linux')
    return 'A real node needs Linux, and this is another system: use a virtual machine with Debian.';
  if (process.getuid?.() !== 0) return 'A real node needs root, for namespaces, mounts and cgroups: run this as root.';
  const missing = missingPackages();
  if (missing.length > 0 && !succeeds('which', 'apt-get')) {
    return `A real node needs what Debian has in the packages ${missing.join(', ')}: install it.`;
  }
  return (
    (missing.length === 0 ? whyNoKernel() : undefined) ??
    whyNoCgroups(cgroupMounts(readFileSync('/proc/self/mountinfo', 'utf8')))
  );
}

function whyNoKernel(): string | undefined {
  const found = trials.find(({ script }) => !succeeds('unshare', '--mount', '--net', 'sh', '-ec', script));
  return (
    found &&
    `A real node needs ${found.what}, which this kernel does not give root here: use a virtual machine, not a container.`
  );
}

/** Each in a mount and a network namespace of its own. */
const trials = [
  { what: 'mount and network namespaces', script: 'true' },
  { what: 'pairs of virtual network devices', script: 'ip link add name a type veth peer name b' },
  { what: 'nftables', script: 'nft add table ip a' },
  {
    what: 'overlay file systems',
    script:
      'mount -t tmpfs tmpfs /mnt; cd /mnt; mkdir a b c d; mount -t overlay overlay -o lowerdir=a,upperdir=b,workdir=c d',
  },
];
