import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { BuildError } from '../build/errors.ts';
import { run, succeeds } from '../debian/commands.ts';

const source = join(import.meta.dirname, 'crane');
const target = 'github.com/google/go-containerregistry/cmd/crane';

/** The path of crane, which talks to registries: from the cache, or built now. Throws BuildError if there is no Go. */
export async function craneProgram(log: (line: string) => void): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(source, file)));
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'knudge', 'crane');
  const program = join(cache, hash.digest('hex').slice(0, 16), 'crane');
  if (existsSync(program)) return program;
  if (!succeeds('go', 'version')) {
    throw new BuildError(
      'Go is needed to build crane, which pushes the image: install Go 1.25 or newer, or push the archive by another program.',
    );
  }
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'draft-'));
  try {
    const build = ['go', '-C', source, 'build', '-trimpath', '-ldflags=-s -w', '-o', join(draft, 'crane'), target];
    const args = ['CGO_ENABLED=0', 'GOFLAGS=-buildvcs=false', 'GOWORK=off', ...build];
    await run({ what: 'Building crane, half a minute the first time', command: 'env', args }, log);
    // Another process was faster and put the same there.
    if (!existsSync(program)) renameSync(draft, dirname(program));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return program;
}

/** Pushes the image of a layout under this name, with the credentials of ~/.docker/config.json. */
export async function push(layout: string, name: string, log: (line: string) => void): Promise<void> {
  const command = await craneProgram(log);
  await run({ what: `Pushing ${name}`, command, args: ['push', layout, name] }, log);
}
