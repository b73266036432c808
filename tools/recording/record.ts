// Makes docs/first-five-minutes.md: runs its commands in a clone of the last commit, in an empty folder. npm run recording
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser, settled } from '../../test/console/browser.ts';
import { shrunken } from '../console/shrink.ts';
import { pageOf } from './page.ts';
import { play } from './play.ts';
import { sections } from './sections.ts';

const root = join(import.meta.dirname, '../..');
const empty = mkdtempSync(join(tmpdir(), 'knudge-recording-'));
const clone = join(empty, 'knudge');
/** As wide as one, and as talkative as npm is there, also where this was begun with `npm run --silent`. */
const terminal = { COLUMNS: '80', NO_COLOR: '1', npm_config_loglevel: 'notice' };
try {
  const played = await play(sections, {
    folder: ({ run }) => (run.startsWith('git clone') ? empty : clone),
    env: { ...process.env, ...terminal, KNUDGE_REPOSITORY: root, KUBECONFIG: '.knudge/kubeconfig' },
    translate: (command) => command,
    timeout: 600,
    picture,
  });
  const hide = (text: string): string =>
    text
      .replaceAll(clone, '/home/you/knudge')
      .replaceAll(homedir(), '/home/you')
      .replaceAll(/(?<=token=)[\w-]+/g, '…');
  writeFileSync(join(root, 'docs/first-five-minutes.md'), pageOf(played, hide));
} finally {
  rmSync(empty, { recursive: true, force: true });
}

/** Keeps what a person sees who opens this address, beside the other pictures of the console. */
async function picture(file: string, address: string): Promise<void> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, timezoneId: 'UTC' });
    await page.goto(address);
    await settled(page, 'Events');
    await page.locator('.badge').first().waitFor();
    writeFileSync(join(root, 'docs/console', file), shrunken(await page.screenshot()));
  } finally {
    await browser.close();
  }
}
