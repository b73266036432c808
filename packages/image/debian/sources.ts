import { output } from './commands.ts';

/** Debian 12, by the parts of its archive. */
const suites = { debian: 'bookworm', 'debian-security': 'bookworm-security' } as const;

const line = (site: string, suite: string): string => `deb [trusted=yes] ${site} ${suite} main`;

/**
 * The places where apt-get looks, in this order: the mirrors that this machine uses, if it is a Debian 12, and Debian's
 * snapshots. A mirror has a version until the next one; the snapshots have it for ever. Neither is trusted: the checksum
 * of a file decides.
 */
export function sources(): readonly (readonly string[])[] {
  const snapshots = Object.entries(suites).map(([part, suite]) =>
    line(`http://snapshot.debian.org/archive/${part}/20261120T000000Z`, suite),
  );
  const mirrors = mirrorsHere();
  return mirrors.length > 0 ? [mirrors, snapshots] : [snapshots];
}

function mirrorsHere(): readonly string[] {
  const wanted: readonly string[] = Object.values(suites);
  // Without --no-release-info it lists none where apt-get update has not run, as in the images of Debian and Node.js.
  const listing = ['indextargets', '--no-release-info', '--format', '$(SITE) $(RELEASE)', 'Created-By: Packages'];
  const targets = output('apt-get', ...listing);
  const found = targets.split('\n').flatMap((target) => {
    const [site = '', suite = ''] = target.split(' ');
    return wanted.includes(suite) ? [line(site, suite)] : [];
  });
  return [...new Set(found)];
}
