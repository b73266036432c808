import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** What runs as `knudge`. */
const main = fileURLToPath(new URL('../knudge.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** `knudge` with these arguments in a folder. */
export function runIn(dir: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], out, said]) => ({ code: code as number | null, out, said }),
  );
  return { child, ended };
}

interface After {
  after(clean: () => void): void;
}

/** The same in a folder that is gone after the test, as is what still runs then. */
export function knudge(context: After, ...args: readonly string[]): Running & { readonly dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-cli-'));
  const running = runIn(dir, args);
  context.after(() => {
    running.child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  return { ...running, dir };
}
