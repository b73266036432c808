import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output, run } from '../debian/commands.ts';
import { releasedIn } from './changelog.ts';
import { isPlace, type Raise, raised } from './places.ts';

interface Setting extends Raise {
  readonly date: string;
  readonly log: (line: string) => void;
}

/** Writes the version into a tree, moves the changelog's entries, and commits both. Returns the commit. */
export async function setVersion(tree: string, { from, to, date, log }: Setting): Promise<string> {
  const git = (...args: readonly string[]): string => output('git', '-C', tree, ...args).trim();
  const read = (path: string): string => readFileSync(join(tree, path), 'utf8');
  const paths = git('ls-files').split('\n').filter(isPlace);
  const texts = raised(new Map(paths.map((path) => [path, read(path)])), { from, to });
  for (const [path, text] of texts) writeFileSync(join(tree, path), text);
  writeFileSync(join(tree, 'CHANGELOG.md'), releasedIn(read('CHANGELOG.md'), to, date));
  log(`The version is ${to} in ${texts.size} files, and CHANGELOG.md has its section.`);
  for (const name of ['chart', 'bundle']) {
    const args = ['run', '--silent', name];
    await run({ what: `Making the ${name} anew (npm run ${name})`, command: 'npm', args, cwd: tree }, log);
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', `release: ${to}`);
  return git('rev-parse', 'HEAD');
}
