// Writes docs/console/*.png: each page of the console, before a mesh with examples/, a patch, a dead letter and a broken function. node tools/console/screenshots.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { HistoryAnswer } from '../../packages/console/model/answers.ts';
import type { Reported } from '../../packages/console/model/types.ts';
import { openBrowser, openConsole, settled } from '../../test/console/browser.ts';
import { startConsoleMesh } from '../../test/console/mesh.ts';
import { shrunken } from './shrink.ts';

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly before?: (page: Page) => Promise<void>;
}

const folder = join(import.meta.dirname, '../../docs/console');
mkdirSync(folder, { recursive: true });
const mesh = await startConsoleMesh('--examples');
const browser = await openBrowser();
try {
  const { context, page } = await openConsole(browser, mesh.url(), { timezoneId: 'UTC' });
  const { cold, patched } = await useMesh(page);
  for (const shot of shotsOf(cold, patched)) await take(context, shot);
} finally {
  await browser.close();
  await mesh.close();
}

/** What happens before the pictures; gives the places of an event that a function was started for, and of the patch. */
async function useMesh(page: Page): Promise<{ readonly cold: number; readonly patched: number }> {
  const history = () => mesh.ask<HistoryAnswer>(page, '/objects/Message/default/hello/history');
  await sleep(12_000);
  await mesh.putMessage('hello', 'Hello, pictures!');
  for (let turn = 1; turn <= 3; turn += 1) await mesh.sendEvent(`cut-off-${turn}`, '{"cut":');
  await sleep(8000);
  const { versions } = await history();
  const patched = versions.find(({ changes }) => changes.some(({ after }) => after === 'Hello, pictures!'));
  const path = '/deliveries?function=message-changed&order=oldest-first&limit=1000';
  const { deliveries } = await mesh.ask<{ readonly deliveries: readonly Reported[] }>(page, path);
  const cold = deliveries.find(({ coldMs, status }) => coldMs !== undefined && status === 204)?.event.seq;
  if (patched === undefined || cold === undefined) throw new Error('the log has no patch, or no cold start');
  return { cold, patched: patched.event.seq };
}

function shotsOf(cold: number, patched: number): readonly Shot[] {
  const plan = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('.verdict').waitFor({ timeout: 90_000 });
  };
  return [
    { name: 'flow', path: '#/' },
    { name: 'flow-dark', path: '#/', scheme: 'dark' },
    { name: 'flow-wide', path: '#/', width: 2560 },
    { name: 'events', path: '#/events' },
    { name: 'events-narrow', path: '#/events', width: 360 },
    { name: 'event', path: `#/events/${patched}` },
    { name: 'event-dark', path: `#/events/${cold}`, scheme: 'dark' },
    { name: 'object', path: '#/objects/Message/default/hello' },
    { name: 'dead-letters', path: '#/dead-letters' },
    { name: 'replay', path: '#/replay?kind=Message', before: plan },
    { name: 'doctor', path: '#/doctor' },
    { name: 'resync', path: '#/resync' },
    { name: 'functions', path: '#/functions' },
  ];
}

async function take(
  context: BrowserContext,
  { name, path, width = 1280, scheme = 'light', before }: Shot,
): Promise<void> {
  const page = await context.newPage();
  await page.setViewportSize({ width, height: width < 500 ? 740 : width > 2000 ? 1100 : 800 });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
  await page.goto(`${mesh.pages}${path}`);
  await settled(page);
  await sleep(800);
  await before?.(page);
  await sleep(300);
  const file = join(folder, `${name}.png`);
  const png = shrunken(await page.screenshot());
  await page.close();
  writeFileSync(file, png);
  console.log(`${file}: ${Math.ceil(png.length / 1000)} KB`);
}
