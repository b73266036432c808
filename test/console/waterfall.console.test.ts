import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openConsole } from './browser.ts';
import { answerTo, messageEvent, type RealLog, startRealLog } from './real-log.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const event = messageEvent('broken', 0);
const at = (ms: number): string => new Date(Date.parse(event.time ?? '') + ms).toISOString();

describe('a person sees where the time of an event went that no function took', () => {
  let real: RealLog;
  let browser: Browser;
  let page: Page;
  before(async () => {
    [real, browser] = await Promise.all([startRealLog(), openBrowser()]);
    await real.log.append(event);
    const permissions = ['clipboard-read', 'clipboard-write'];
    page = (await openConsole(browser, real.pages, { permissions })).page;
    await page.goto(`${real.pages}#/events/1`);
    await page.getByRole('heading', { level: 1, name: 'Event 1' }).waitFor();
  });
  after(async () => {
    await browser?.close();
    await real?.close();
  });

  it('the dead letter as a bar and as a row, as soon as it comes, and not that of another source', async () => {
    assert.equal(await page.locator('rect.letter').count(), 0);
    const failed = { status: 503, outcome: 'unavailable', traceId };
    await real.log.appendDeliveries([1, 2].map((attempt) => answerTo(event, { ...failed, attempt, at: at(attempt) })));
    const destination = { knativeerrordest: 'http://broker/message-changed', knativeerrorcode: '503' };
    const extensions = new Map([...event.extensions, ...Object.entries(destination)]);
    await real.log.appendDeadLetter({ ...event, source: '/another', extensions });
    await real.log.appendDeadLetter({ ...event, extensions });
    await page.locator('rect.letter').waitFor();
    await page.locator('rect.failed').nth(1).waitFor();
    assert.equal(await page.locator('rect.letter').count(), 1);
    await page.locator('.waterfall .sum', { hasText: 'dead letter' }).waitFor();
    await page.locator('.legend', { hasText: 'dead letter' }).waitFor();
    await page.getByText('As a table').click();
    const rows = page.getByRole('group', { name: 'Tries' }).getByRole('row');
    assert.match(await rows.last().innerText(), /^message-changed\s[\s\S]*dead letter ! open/);
    assert.equal(await rows.count(), 4);
  });

  it('the trace of the tries as a text, which a button copies', async () => {
    await page.locator('.trace', { hasText: traceId }).getByText('message-changed').waitFor();
    await page.getByRole('button', { name: 'Copy trace id' }).click();
    await page.getByText('Copied.').waitFor();
    assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), traceId);
    assert.equal(await page.getByRole('cell', { name: traceId }).count(), 2);
    // The open table scrolls by itself, and no panel is wider than its column.
    const widths = await page.evaluate<number[]>(
      '[...document.querySelectorAll(".columns .panel")].map((panel) => panel.scrollWidth - panel.clientWidth)',
    );
    assert.deepEqual(new Set(widths), new Set([0]));
    await page.setViewportSize({ width: 360, height: 800 });
    assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'), 0);
  });
});
