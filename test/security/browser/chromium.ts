import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A name that a page's owner has bound anew: it leads to this machine. */
export const rebound = 'evil.example';

/** Root may run it without its sandbox only; the rest keeps it from asking for anything but the page. */
const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--no-proxy-server'],
  `--host-resolver-rules=MAP ${rebound} 127.0.0.1`,
];

/** Shows a page in a Chromium of its own for as long as the work takes. */
export async function whileShown<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-chromium-'));
  const child = spawn('chromium', [...flags, `--user-data-dir=${dir}`, url], {
    stdio: 'ignore',
    detached: true,
  });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`Chromium ended with ${String(code)}, and the page had not reported`);
  });
  try {
    return await Promise.race([work(), ended]);
  } finally {
    // With all its processes: they are a group.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await exited;
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}
