import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releasedIn } from '../../../tools/release/changelog.ts';

const head = '# Changelog\n\nWhat changes.\n';
const older = '## [0.1.0] - 2026-01-01\n\n### Added\n\n- The first.\n';

test('what was unreleased stands below the version, and nothing is unreleased', () => {
  const entries = '### Added\n\n- One, for $& and [others](docs/x.md).\n\n### Fixed\n\n- Another.\n';
  assert.equal(
    releasedIn(`${head}\n## [Unreleased]\n\n${entries}\n${older}`, '0.2.0', '2026-11-26'),
    `${head}\n## [Unreleased]\n\n## [0.2.0] - 2026-11-26\n\n${entries}\n${older}`,
  );
});

for (const [what, text, why] of [
  ['no entries', `${head}\n## [Unreleased]\n\n### Added\n\n${older}`, /no entry below \[Unreleased\]/],
  ['no such section', `${head}\n${older}`, /no heading "## \[Unreleased\]"/],
  ['that version', `${head}\n## [Unreleased]\n\n- One.\n\n## [0.2.0] - 2026-01-02\n`, /has a section \[0\.2\.0\]/],
] as const) {
  test(`a changelog with ${what} is not released`, () => {
    assert.throws(() => releasedIn(text, '0.2.0', '2026-11-26'), why);
  });
}
