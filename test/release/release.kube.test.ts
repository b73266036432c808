import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { objectsOf } from '../../tools/chart/kustomize.ts';
import { helm } from '../chart/helm.ts';
import { commandsIn } from '../knative/commands-in.ts';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { putCrdsOfOthers, removeCrdsOfOthers } from '../kube/crds-of-others.ts';
import { objectsIn } from '../kube/install.ts';
import { kubectl } from '../kube/kubectl.ts';

const root = process.cwd();
const { version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const next = `${Number(current.split('.')[0]) + 1}.0.0`;
const page = readFileSync('docs/release.md', 'utf8');
/** Beside the artefacts, which the list names: the list, its signature, and the key where a run has made one. */
const besideTheList = ['SHA256SUMS', 'SHA256SUMS.sig', 'cosign.pub'];

const home = mkdtempSync(join(tmpdir(), 'knudge-release-test-'));
const clone = join(home, 'clone');
const folder = join(clone, 'dist/release', next);
after(() => rmSync(home, { recursive: true }));

const git = (...args: readonly string[]): string => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' });
const stateOf = () => [git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain'), git('worktree', 'list')];

/** A clone of the last commit, with these packages. */
before(() => {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
  appendFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  git('config', 'user.name', 'maintainer');
  git('config', 'user.email', 'maintainer@example.com');
});

test('a dry run makes every artefact that the page names, and changes nothing', { timeout: 300_000 }, () => {
  const before = stateOf();
  const args = ['tools/release/release.ts', next, '--dry-run'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stderr, new RegExp(`there would be the commit "release: ${next}", tagged v${next}`));
  assert.deepEqual(stateOf(), before);
  const rows = namesOnThePage();
  const unnamed = readdirSync(folder).filter((name) => name !== 'cosign.pub' && !rows.some((row) => row.test(name)));
  assert.deepEqual(unnamed, []);
  assert.deepEqual(
    rows.filter((row) => !readdirSync(folder).some((name) => row.test(name))),
    [],
  );
});

/** Of the files in the first column of the page's table; a package may have any name. */
function namesOnThePage(): readonly RegExp[] {
  const cells = [...page.matchAll(/^\| (`.+?) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => {
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const stem = names[0]?.replace(/\.[^.]*$/, '') ?? '';
    return names.map(
      (name) =>
        new RegExp(
          `^${name
            .replace('…', stem)
            .replaceAll('.', '\\.')
            .replace('<version>', next.replaceAll('.', '\\.'))
            .replace('<architecture>', '\\w+')
            .replace('<package>', '[a-z-]+')}$`,
        ),
    );
  });
}

test('the words of the page verify them, and find one that somebody has changed', () => {
  const [words = ''] = commandsIn('docs/release.md', 'Verify');
  const verify = () => spawnSync('bash', ['-euc', words], { cwd: folder, encoding: 'utf8' });
  const { status, stdout, stderr } = verify();
  assert.equal(status, 0, stderr);
  const [first, ...lines] = stdout.trimEnd().split('\n');
  assert.equal(first, 'Verified OK');
  assert.deepEqual(
    lines.toSorted(),
    readdirSync(folder)
      .filter((name) => !besideTheList.includes(name))
      .map((name) => `${name}: OK`)
      .toSorted(),
  );
  appendFileSync(join(folder, `knudge-chart-${next}.tgz`), ' ');
  assert.match(verify().stdout, new RegExp(`knudge-chart-${next}.tgz: FAILED`));
  appendFileSync(join(folder, 'SHA256SUMS'), '\n');
  assert.doesNotMatch(verify().stdout, /Verified OK/);
});

test('chart and manifests of it name its image, and the API server takes the manifests', async () => {
  const chart = objectsOf(await helm('template', 'knudge', join(folder, `knudge-chart-${next}.tgz`)));
  const manifests = join(folder, `knudge-deploy-${next}.yaml`);
  for (const objects of [chart, objectsIn(manifests)]) {
    const images = new Set(JSON.stringify(objects).match(/(?<="image":")knudge\/[^"]*/g));
    assert.deepEqual([...images], [`knudge/knudge:${next}`]);
  }
  await putCrdsOfOthers(apiFrom(testKubeconfig()));
  try {
    // A dry run makes no namespace for the rest to be in.
    await kubectl('apply', '--filename', 'deploy/base/namespace.yaml');
    const { stdout } = await kubectl('apply', '--filename', manifests, '--dry-run=server');
    assert.match(stdout, /\(server dry run\)/);
  } finally {
    await removeCrdsOfOthers();
  }
});
