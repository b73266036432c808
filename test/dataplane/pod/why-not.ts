import { execFileSync } from 'node:child_process';

/** Why no Pod can be run on this machine; undefined where one can. */
export function whyNoPods(): string | undefined {
  if (process.platform !== 'linux') return 'Pods are run in Linux namespaces, and this is no Linux';
  if (process.getuid?.() !== 0) return 'Pods are run in network and mount namespaces, which only root may make';
  for (const [command, debian] of needed) {
    if (!succeeds('which', command)) return `Pods need the command ${command}: install ${debian}`;
  }
  if (!succeeds('unshare', '--mount', '--net', 'true')) {
    return 'Pods are run in network and mount namespaces, which this machine does not let root make';
  }
  return undefined;
}

/** Commands, and the package of Debian that has them. */
const needed = [
  ['ip', 'iproute2'],
  ['nsenter', 'util-linux'],
  ['unshare', 'util-linux'],
  ['setpriv', 'util-linux'],
] as const;

function succeeds(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
