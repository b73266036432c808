import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import type { HistoryAnswer } from '../../packages/console/model/answers.ts';
import { until } from '../kube/until.ts';
import { openBrowser, openConsole, settled } from './browser.ts';
import { type ConsoleMesh, startConsoleMesh } from './mesh.ts';

const pages = [
  '#/',
  '#/events',
  '#/events/3',
  '#/objects/Message/default/hello',
  '#/dead-letters?state=all',
  '#/replay?kind=Message',
  '#/doctor',
  '#/resync',
  '#/functions',
];

/** WCAG 2.2 AA, and what axe holds to be good beside it. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

describe('each page of the console, on a mesh that has done something', () => {
  let mesh: ConsoleMesh;
  let browser: Browser;
  before(async () => {
    [mesh, browser] = await Promise.all([startConsoleMesh('--examples'), openBrowser()]);
    await mesh.sendEvent('hello', '{"cut":');
    const { context, page } = await openConsole(browser, mesh.url());
    await until('the log has a Message and a dead letter', async () => {
      const { versions } = await mesh.ask<HistoryAnswer>(page, '/objects/Message/default/hello/history');
      const { deadLetters } = await mesh.ask<{ deadLetters: unknown[] }>(page, '/dead-letters');
      return versions.length > 2 && deadLetters.length > 0;
    });
    await context.close();
  });
  after(async () => {
    await browser?.close();
    await mesh?.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no violation that axe finds, in the ${colorScheme}`, async (test) => {
      const { context, page } = await openConsole(browser, mesh.url(), { colorScheme });
      for (const path of pages) {
        await test.test(path, async () => {
          await page.goto(`${mesh.pages}${path}`);
          await settled(page);
          // The tables under drawings are folded until somebody wants them.
          await page.evaluate('for (const one of document.querySelectorAll("details.twin")) one.open = true');
          const { violations, passes } = await new AxeBuilder({ page }).withTags(rules).analyze();
          assert.ok(passes.length > 10);
          const said = violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
          );
          assert.deepEqual(said, []);
        });
      }
      await context.close();
    });
  }

  it('has a table for each drawing', async () => {
    const { context, page } = await openConsole(browser, mesh.url());
    for (const path of ['#/', '#/events/3', '#/functions']) {
      await page.goto(`${mesh.pages}${path}`);
      await settled(page);
      await page.locator('svg, canvas').first().waitFor();
      const bare = await page.evaluate<number>(
        '[...document.querySelectorAll(".panel")].filter((panel) => panel.querySelector("svg, canvas") && !panel.querySelector("details.twin table")).length',
      );
      assert.equal(bare, 0, path);
    }
    await context.close();
  });

  for (const width of [360, 1280, 2560]) {
    it(`fits into ${width} pixels, and its policy refuses nothing`, async () => {
      const { context, page, wrong } = await openConsole(browser, mesh.url(), { viewport: { width, height: 800 } });
      for (const path of pages) {
        await page.goto(`${mesh.pages}${path}`);
        await settled(page);
        const room = await page.evaluate<number[]>(
          '[document.documentElement.scrollWidth - innerWidth, document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth]',
        );
        assert.deepEqual(room, [0, 0], path);
      }
      assert.deepEqual(wrong, []);
      await context.close();
    });
  }

  it('says in a sentence what cannot be had here', async () => {
    const { context, page } = await openConsole(browser, mesh.url());
    const code = 'not-found';
    const message = 'the event log cannot answer /doctor: npx knudge doctor does';
    await page.route('**/console/api/doctor', (route) => route.fulfill({ status: 404, json: { code, message } }));
    await page.goto(`${mesh.pages}#/doctor`);
    await page.getByText('npx knudge doctor does').waitFor();
    await context.close();
  });
});
