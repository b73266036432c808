import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { until } from '../kube/until.ts';
import { openBrowser, openConsole } from './browser.ts';
import { answerTo, messageEvent, type RealLog, startRealLog } from './real-log.ts';

const letters = 12;

describe('a person with the keyboard, and what goes on behind the pages', () => {
  let real: RealLog;
  let browser: Browser;
  let page: Page;
  before(async () => {
    [real, browser] = await Promise.all([startRealLog(), openBrowser()]);
    for (let index = 0; index < letters; index += 1) {
      const event = messageEvent(`e-${index}`);
      const destination = { knativeerrordest: 'http://broker/message-changed', knativeerrorcode: '500' };
      await real.log.append(event);
      const extensions = new Map([...event.extensions, ...Object.entries(destination)]);
      await real.log.appendDeadLetter({ ...event, extensions });
    }
    page = (await openConsole(browser, real.pages)).page;
  });
  after(async () => {
    await browser?.close();
    await real?.close();
  });
  const dialog = () => page.getByRole('dialog', { name: 'Keys' });

  it('opens the list of keys by a button, in which keys do nothing, and switches them off for good', async () => {
    await page.getByRole('button', { name: 'The keys' }).click();
    await dialog().waitFor();
    await page.keyboard.press('p');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    assert.equal(await page.getByRole('button', { name: 'Pause' }).getAttribute('aria-pressed'), 'false');
    assert.equal(await page.getByRole('heading', { level: 1, name: 'Flow' }).count(), 1);
    await dialog().getByLabel('Single keys do something').uncheck();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    for (const key of ['p', '?', 'g', 'e']) await page.keyboard.press(key);
    assert.equal(await page.getByRole('button', { name: 'Pause' }).getAttribute('aria-pressed'), 'false');
    assert.equal(await dialog().isVisible(), false);
    await page.getByRole('button', { name: 'The keys' }).click();
    await dialog().getByLabel('Single keys do something').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('p');
    await page.getByRole('button', { name: /^Resume/ }).waitFor();
    await page.keyboard.press('p');
  });

  it('filters by what was typed in the very moment in which the page came, and stays in the field', async () => {
    await page.goto(`${real.pages}#/`);
    await page.getByRole('heading', { level: 1, name: 'Flow' }).waitFor();
    // A person is never as fast; on a busy machine the page is as slow.
    const kept = await page.evaluate(`new Promise((resolve) => {
      const look = new MutationObserver(() => {
        const box = document.querySelector('[data-filter]');
        if (box === null) return;
        look.disconnect();
        box.focus();
        box.value = 'kind=Message';
        box.form.requestSubmit();
        setTimeout(() => resolve([location.hash, box.value, document.activeElement === box]), 1000);
      });
      look.observe(document.body, { childList: true, subtree: true });
      location.hash = '#/events';
    })`);
    assert.deepEqual(kept, ['#/events?kind=Message', 'kind=Message', true]);
  });

  it('goes by j to the event of a dead letter, and reads what a discard needs', async () => {
    await page.goto(`${real.pages}#/dead-letters`);
    await page.getByRole('checkbox').first().waitFor();
    await page.keyboard.press('j');
    assert.equal(await page.evaluate<string>('document.activeElement.tagName'), 'A');
    const discard = page.getByRole('button', { name: /^Discard/ });
    assert.equal(await discard.isDisabled(), true);
    const id = (await discard.getAttribute('aria-describedby')) ?? '';
    assert.equal(await page.locator(`[id="${id}"]`).innerText(), 'Say why before you discard.');
    await page.getByPlaceholder('why').fill('no more');
    assert.equal(await discard.isDisabled(), false);
  });

  it('asks once a second at most for all dead letters that were sent again here, and for no others', async () => {
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/deliveries?since') && asked.push(request.url()));
    await page.goto(`${real.pages}#/dead-letters?state=all`);
    await page.reload();
    await page.waitForTimeout(2000);
    assert.deepEqual(asked, []);
    await page.getByRole('button', { name: `Retry all ${letters}` }).click();
    await page.getByText(`${letters} sent again.`).waitFor();
    asked.length = 0;
    await page.waitForTimeout(3000);
    assert.ok(asked.length >= 1 && asked.length <= 4, `${asked.length} questions in three seconds`);
    const now = new Date().toISOString();
    for (let index = 0; index < letters; index += 1) {
      await real.log.appendDeliveries([answerTo(messageEvent(`e-${index}`), { at: now, outcome: 'done' })]);
    }
    await page
      .getByText(/^✓ done$/)
      .nth(letters - 1)
      .waitFor();
  });

  it('sees anew what became of an event while others come all the time', async () => {
    await page.goto(`${real.pages}#/events/1`);
    await page.getByRole('heading', { level: 1, name: 'Event 1' }).waitFor();
    await page.waitForTimeout(1500);
    let chains = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/events/1/chain')) chains += 1;
    });
    const end = Date.now() + 4000;
    for (let index = 0; Date.now() < end; index += 1) {
      await real.log.append(messageEvent(`load-${index}`, 0));
      await page.waitForTimeout(100);
    }
    assert.ok(chains >= 2, `asked ${chains} times in four seconds`);
  });

  it('reads that the session has ended, and the page asks no more', async () => {
    let asked = 0;
    await page.route('**/console/api/**', async (route) => {
      asked += 1;
      await route.fulfill({ status: 401, json: { code: 'unauthenticated', message: 'no session' } });
    });
    await page.goto(`${real.pages}#/flow-not-there`);
    await page.reload();
    await page.getByText('Your session has ended. Run npx knudge console for a new address.').waitFor();
    await page.getByText('session has ended', { exact: true }).waitFor();
    await page.waitForTimeout(500);
    const before = asked;
    await page.waitForTimeout(4500);
    await until('nothing was asked since', async () => asked === before, 1);
  });
});
