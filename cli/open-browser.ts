import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

interface Machine {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The program that opens an address in the browser of a person, by the system. */
const openers: Readonly<Record<string, string>> = { darwin: 'open', linux: 'xdg-open' };

/** Milliseconds after which a program that still runs has found a browser: some stay as long as the browser does. */
const soon = 2000;

/** Opens an address in the person's browser. Returns why it cannot, as a sentence, and undefined if it could. Never rejects. */
export async function openInBrowser(url: string, { platform, env }: Machine = process): Promise<string | undefined> {
  const opener = openers[platform];
  if (opener === undefined) return `Knudge cannot open a browser on ${platform}: open the address yourself`;
  const child = spawn(opener, [url], { detached: true, env: { ...env }, stdio: 'ignore' });
  const ended = once(child, 'exit').then(
    ([code]) =>
      code === 0 ? undefined : `${opener} finds no browser (exit code ${String(code)}): open the address yourself`,
    () => `There is no ${opener} here to open a browser: open the address yourself`,
  );
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    return await Promise.race([ended, sleep(soon, undefined, { signal }).catch(() => undefined)]);
  } finally {
    waiting.abort();
    // Not before: nothing else may keep this process, which would end in the middle of the race.
    child.unref();
  }
}
