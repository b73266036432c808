import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BuildError } from '../build/errors.ts';
import { ClusterError } from '../control-plane/errors.ts';
import { output } from '../debian/commands.ts';
import { keyVariable, readSigningKey } from '../image/signing.ts';
import { releasedIn } from './changelog.ts';
import { type Base, checkTree, checkVersion } from './checks.ts';
import { ReleaseError } from './errors.ts';
import { type Made, makeRelease } from './make.ts';
import { passingKey, writePublicKey } from './sums.ts';

const usage = `A release: the version everywhere, its section of CHANGELOG.md, its artefacts, a commit and a tag.

  npm run release -- VERSION [--dry-run] [--key FILE]

--dry-run    makes all of it but commit and tag, which it names; this tree stays as it is
--key FILE   signs: a private key in PEM, ECDSA on P-256; default what IMAGE_SIGNING_KEY holds

The artefacts are in dist/release/VERSION. Nothing is pushed or published. Ends with 1 where there is no release, with 2 where
the command is wrong.`;

const root = join(import.meta.dirname, '../..');
const began = Date.now();
const log = (line: string): void => console.error(`[${String(Math.round((Date.now() - began) / 1000))} s] ${line}`);

let stopped: NodeJS.Signals | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (stopped = signal));

/** How far it came, for the user who has to clean up. */
let reached = 'nothing is committed, and nothing is tagged.';

try {
  await main();
} catch (error) {
  if (!(error instanceof ReleaseError || error instanceof BuildError || error instanceof ClusterError)) throw error;
  console.error(`${error.message}\nThere is no release: ${reached}`);
  process.exitCode = error instanceof ReleaseError ? error.exitCode : 1;
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  if (values.help === true) return console.log(usage);
  if (positionals.length > 1) throw new ReleaseError(`Say one version, and not ${positionals.join(' ')}.`, 2);
  const isDry = values['dry-run'] === true;
  const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const version = checkVersion(positionals[0], current);
  const own = readSigningKey(values.key, process.env);
  // Programs that this one runs do not get it, except for the one that signs.
  delete process.env[keyVariable];
  if (own === undefined && !isDry) {
    throw new ReleaseError('There is no key: say --key FILE or set IMAGE_SIGNING_KEY, as docs/image.md says.', 2);
  }
  const base = checkTree(root, { version: current, wanted: version });
  if (base.branch === '' && !isDry) throw new ReleaseError('The tree is on no branch: check out the one to release.');
  const date = new Date(began).toISOString().slice(0, 10);
  releasedIn(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, date);
  const key = own ?? passingKey();
  const folder = join(root, 'dist/release', version);
  const made = await makeRelease(base, { version, date, key, folder, log, goOn });
  if (own === undefined) tellOfPassingKey(folder, key);
  if (isDry) tell(made, { base, version });
  else finish(made, { base, version });
  console.log(made.artefacts.map((name) => `dist/release/${version}/${name}`).join('\n'));
}

function readArguments() {
  try {
    return parseArgs({
      options: { 'dry-run': { type: 'boolean' }, key: { type: 'string' }, help: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new ReleaseError(`${(error as Error).message}\nRun npm run release -- --help for usage.`, 2);
  }
}

function goOn(): void {
  if (stopped !== undefined) throw new ReleaseError(`It was stopped by ${stopped}.`);
}

function tellOfPassingKey(folder: string, key: KeyObject): void {
  writePublicKey(join(folder, 'cosign.pub'), key);
  log('There was no key: a key of only this run has signed, and cosign.pub beside the artefacts is its public half.');
}

interface Told {
  readonly base: Base;
  readonly version: string;
}

function tell({ changes }: Made, { base, version }: Told): void {
  log(`A dry run: on ${base.commit.slice(0, 12)} there would be the commit "release: ${version}", tagged v${version}:`);
  console.error(changes);
}

/** Moves the branch to the commit and makes the tag: both at the end, when all that can fail is done. */
function finish({ commit, changes }: Made, { base, version }: Told): void {
  output('git', '-C', base.root, 'merge', '--quiet', '--ff-only', commit);
  reached = `${base.branch} has the commit, and no tag names it: correct the cause, then git tag --annotate v${version}.`;
  output('git', '-C', base.root, 'tag', '--annotate', `v${version}`, '--message', `Knudge ${version}`, commit);
  log(`${base.branch} has the commit "release: ${version}", and the tag v${version} names it:`);
  console.error(changes);
  log(`To publish it: git push --atomic origin ${base.branch} v${version}; docs/release.md has the rest.`);
}
