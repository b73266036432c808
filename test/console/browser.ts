import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { until } from '../kube/until.ts';

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A person's browser that has shown the token of the address, with what went wrong in its pages: exceptions, and what their policy refused. */
export interface Person {
  readonly context: BrowserContext;
  /** The first page: the flow. */
  readonly page: Page;
  readonly wrong: readonly string[];
}

/** Opens the address that the mesh has printed, as a person does. */
export async function openConsole(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Person> {
  const wrong: string[] = [];
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.on('page', (page) => {
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) wrong.push(message.text());
    });
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('.state.live').waitFor();
  return { context, page, wrong };
}

/** Waits until a page has its heading and has read all that it shows. */
export async function settled(page: Page, heading?: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, ...(heading !== undefined && { name: heading }) }).waitFor();
  await until(
    'it has read all',
    async () => !/(^|\n)Reading .*…|Looking…/.test(await page.locator('main').innerText()),
  );
}
