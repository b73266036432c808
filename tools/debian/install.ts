import { ClusterError } from '../control-plane/errors.ts';
import { run } from './commands.ts';

/** Debian's packages, and checks whether what is needed of each is there, from any origin. */
export type Packages = Readonly<Record<string, () => boolean>>;

/** Seconds that apt-get waits for another one; by default it would fail at once. */
const lock = ['-o', 'DPkg::Lock::Timeout=120'];

/** The names of packages of which something is missing. */
export function missingOf(packages: Packages): readonly string[] {
  return Object.keys(packages).filter((name) => packages[name]?.() === false);
}

/** Installs what is missing with apt-get, for `what`, with progress on `log`. Throws ClusterError if that fails. */
export async function installMissing(what: string, packages: Packages, log: (line: string) => void): Promise<void> {
  const missing = missingOf(packages);
  if (missing.length === 0) return;
  const list = missing.join(' ');
  // Without --no-remove, apt-get might remove another container runtime to make room.
  const install = [...lock, 'install', '--yes', '--no-remove', '--no-install-recommends', ...missing];
  try {
    await run({ what: 'Asking Debian which packages there are', command: 'apt-get', args: [...lock, 'update'] }, log);
    await run({ what: `Installing ${list}`, command: 'apt-get', args: install }, log);
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    const [reason = error.message.split('\n')[0]] = error.message.split('\n').filter((line) => line.startsWith('E: '));
    throw new ClusterError(
      `${what} needs the packages ${list} of Debian, which apt-get cannot install here (${reason}): install them, then try again.`,
    );
  }
  const still = missingOf(packages);
  if (still.length > 0) throw new ClusterError(`${still.join(' ')} was installed, but lacks what ${what} needs of it.`);
}
