import { output } from '../debian/commands.ts';
import { ReleaseError } from './errors.ts';
import { isHigher, isVersion } from './semver.ts';

/** The commit that the release is made from. */
export interface Base {
  readonly root: string;
  readonly commit: string;
  readonly branch: string;
  /** The version in package.json. */
  readonly version: string;
}

/** Returns the wanted version. Throws ReleaseError, as wrong usage, if it is missing, malformed or not higher than the current one. */
export function checkVersion(wanted: string | undefined, current: string): string {
  if (wanted === undefined) throw new ReleaseError('Say which version: npm run release -- VERSION [--dry-run].', 2);
  if (!isVersion(wanted)) {
    throw new ReleaseError(`"${wanted}" is not a version: write it as 0.2.0 or 0.2.0-rc.1, without "v" and "+".`, 2);
  }
  if (isHigher(wanted, current)) return wanted;
  throw new ReleaseError(`${wanted} does not come after ${current}, the version of package.json: say a higher one.`, 2);
}

/** The commit of the tree. Throws ReleaseError if something is not committed, or the tag is there already. */
export function checkTree(
  root: string,
  { version, wanted }: { readonly version: string; readonly wanted: string },
): Base {
  const git = (...args: readonly string[]): string => output('git', '-C', root, ...args).trim();
  const changed = git('status', '--porcelain');
  if (changed !== '') {
    throw new ReleaseError(`The tree has uncommitted changes: commit or remove them.\n${changed}`);
  }
  if (git('tag', '--list', `v${wanted}`) !== '') {
    throw new ReleaseError(`The tag v${wanted} is there already: release a higher version.`);
  }
  return { root, version, commit: git('rev-parse', 'HEAD'), branch: git('branch', '--show-current') };
}
