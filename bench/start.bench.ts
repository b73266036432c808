import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.ts';
import { type Row, report } from './report.ts';
import { median, pairedRatio, shuffled } from './statistics.ts';

interface Contestant {
  readonly name: string;
  readonly command: readonly string[];
  /** Measured until a line begins so; if absent, until the process has ended. */
  readonly until?: string;
  /** As right after `npm ci`. */
  readonly withoutCache?: true;
  readonly goal?: { readonly of: 'times' | 'ms'; readonly most: number };
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'knudge-bench-start-'));
const bare: Contestant = { name: 'node -e 0', command: [process.execPath, '-e', '0'] };
const version: Contestant = {
  name: 'knudge version',
  command: [process.execPath, join(root, 'cli/knudge.js'), 'version'],
  goal: { of: 'times', most: 3 },
};
const start: Contestant = {
  name: 'npm start, until it is up',
  command: ['npm', 'start', '--silent', '--', '--port', '0', '--dir', folder],
  until: 'Knudge is up',
  goal: { of: 'ms', most: 1500 },
};
const contestants = [bare, version, first(version), start, first(start)];

const args = readArguments(process.argv.slice(2));
const measured = new Map(contestants.map((one): [Contestant, number[]] => [one, []]));
try {
  // Fills the caches.
  for (const contestant of contestants) await timed(contestant);
  for (let round = 0; round < args.rounds; round += 1) {
    for (const contestant of shuffled(contestants)) measured.get(contestant)?.push(await timed(contestant));
  }
  report('Wall time of a command, times that of `node -e 0` in the same round', [...measured].map(rowOf), args);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function first({ name, command, until }: Contestant): Contestant {
  return { name: `${name}, without a cache`, command, withoutCache: true, ...(until !== undefined && { until }) };
}

/** Milliseconds. */
async function timed({ command: [program = '', ...rest], until, withoutCache }: Contestant): Promise<number> {
  const began = performance.now();
  const child = spawn(program, rest, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...(withoutCache && { NODE_DISABLE_COMPILE_CACHE: '1' }) },
  });
  const exited = once(child, 'exit').then(() => performance.now());
  const said = Promise.withResolvers<number>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (until !== undefined && line.startsWith(until)) said.resolve(performance.now());
  });
  const ended = await (until === undefined ? exited : Promise.race([said.promise, exited]));
  if (until !== undefined && child.exitCode !== null) throw new Error(`${program} ended before it said: ${until}`);
  child.kill('SIGTERM');
  await exited;
  return ended - began;
}

function rowOf([{ name, goal }, own]: readonly [Contestant, readonly number[]]): Row {
  const figures = { '× node': pairedRatio(own, measured.get(bare) ?? []), 'wall ms': median(own) };
  const least = { 'least ms': Math.min(...own) };
  const value = goal?.of === 'ms' ? figures['wall ms'] : figures['× node'];
  return {
    name,
    figures: { ...figures, ...least },
    ...(goal && { goal: { value, most: goal.most, tolerance: 0.1 } }),
  };
}
