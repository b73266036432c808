import { ReleaseError } from './errors.ts';

const heading = '## [Unreleased]\n';

/** The changelog with the unreleased entries below the heading of a version, and none unreleased. Throws ReleaseError. */
export function releasedIn(changelog: string, version: string, date: string): string {
  if (changelog.includes(`\n## [${version}]`)) {
    throw new ReleaseError(`CHANGELOG.md has a section [${version}] already: release a higher version.`);
  }
  const entries = unreleasedIn(changelog);
  if (!/^- /m.test(entries)) {
    throw new ReleaseError(
      'CHANGELOG.md has no entry below [Unreleased]: say there what changes for those who use Knudge, and commit it.',
    );
  }
  return changelog.replace(heading, () => `${heading}\n## [${version}] - ${date}\n`);
}

/** The text below [Unreleased], up to the next version. */
function unreleasedIn(changelog: string): string {
  const at = changelog.indexOf(`\n${heading}`);
  if (at < 0) {
    throw new ReleaseError('CHANGELOG.md has no heading "## [Unreleased]": write it above what is to be released.');
  }
  const [entries = ''] = changelog.slice(at + 1 + heading.length).split(/^## /m);
  return entries;
}
