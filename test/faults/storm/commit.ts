import { execFileSync } from 'node:child_process';

/** The commit that is checked out, with `-dirty` where files differ from it; `unknown` without git. */
export function commit(): string {
  try {
    const told = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return told.trim();
  } catch {
    return 'unknown';
  }
}
