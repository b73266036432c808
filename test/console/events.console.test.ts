import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { until } from '../kube/until.ts';
import { openBrowser, openConsole } from './browser.ts';
import { answers, answerTo, messageEvent, type RealLog, startRealLog } from './real-log.ts';

const count = 900;

describe('the list of events', () => {
  let real: RealLog;
  let browser: Browser;
  let page: Page;
  before(async () => {
    [real, browser] = await Promise.all([startRealLog(), openBrowser()]);
    for (let index = 0; index < count; index += 1) {
      const event = messageEvent(`e-${index}`, count - index + 120, `message-${index % 10}`);
      await real.log.append(event);
      const failed = index < 3 ? { status: 500, outcome: 'failed' } : {};
      await real.log.appendDeliveries([answerTo(event, failed), answerTo(event, { function: 'another' })]);
    }
    page = (await openConsole(browser, real.pages)).page;
  });
  after(async () => {
    await browser?.close();
    await real?.close();
  });
  const names = () => page.locator('.list .all .object').allInnerTexts();
  const at = async (path: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${real.pages}${path}`);
  };

  it('finds by its address the few events that failed, far behind the first page, and says how far it looked', async () => {
    await at('#/events?only=failed');
    await page.getByText(`Looked at all ${count} events.`).waitFor({ timeout: 60_000 });
    assert.equal((await names()).length, 3);
    await at('#/events?only=changes');
    await page.getByText(`Looked at all ${count} events.`).waitFor({ timeout: 60_000 });
    assert.equal((await names()).length, 3);
  });

  it('shows the answer to the last filter, however late one to an earlier filter comes', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/api\/events\?name=message-1&/, async (route) => {
      await held;
      await route.continue();
    });
    await at('#/events?name=message-1');
    await page.getByRole('searchbox').fill('name=message-2');
    await page.keyboard.press('Enter');
    const all = async (name: string) => {
      const found = await names();
      return found.length > 0 && found.every((one) => one.endsWith(name));
    };
    await until('the list is of message-2', () => all('message-2'));
    release();
    await page.waitForResponse(/name=message-1&/);
    await page.waitForTimeout(300);
    assert.equal(await all('message-2'), true);
    await page.unroute(/api\/events\?name=message-1&/);
  });

  it('takes into a search only what the event log finds of what comes', async () => {
    await at('#/events?q=message-3');
    await until('the list is there', async () => (await names()).length > 0);
    const wanted = messageEvent('new-3', 0, 'message-3');
    // It has the words in its data alone.
    const other = messageEvent('message-3-in-data', 0, 'message-4');
    await real.log.append({ ...other, id: 'new-4' });
    await real.log.append(wanted);
    await page.locator('.title', { hasText: /^\D*91 listed|91 listed/ }).waitFor();
    assert.ok((await names()).every((one) => one.endsWith('message-3')));
  });

  it('takes the words of the command line, also by its address, and says which it does not know', async () => {
    await page.route('**/console/api/words', async (route) => {
      const { kind } = route.request().postDataJSON() as { readonly kind?: string };
      const message = 'No source watches a kind pood: Message or msg.';
      if (kind === 'msg') await route.fulfill({ json: { kind: 'Message' } });
      else await route.fulfill({ status: 400, json: { code: 'invalid-request', message } });
    });
    await at('#/events?kind=msg&name=message-5');
    await page.waitForURL(/kind=Message/);
    await until('the list is there', async () => (await names()).length > 0);
    await page.getByRole('searchbox').fill('kind=pood');
    await page.keyboard.press('Enter');
    await page.getByText('No source watches a kind pood').waitFor();
    await page.unroute('**/console/api/words');
  });

  it('is as it was when a person goes up from an event', async () => {
    await at('#/events?kind=Message&name=message-6');
    await page.locator('.list .all a[data-row]').first().click();
    await page.getByRole('heading', { level: 1, name: /^Event \d+$/ }).waitFor();
    await page.keyboard.press('u');
    await page.waitForURL(/#\/events\?kind=Message&name=message-6$/);
  });
});

describe('a log without deliveries', () => {
  it('says that functions report none, in place of what they did not do', async () => {
    const [real, browser] = await Promise.all([startRealLog(), openBrowser()]);
    try {
      await real.log.append(messageEvent('e-1', 600));
      const { page } = await openConsole(browser, real.pages);
      await answers(page, '/functions', { functions: [] });
      for (const path of ['#/events/1', '#/functions', '#/resync', '#/events?only=failed']) {
        await page.goto(`${real.pages}${path}`);
        await page.getByText('The functions report no deliveries here').waitFor();
        for (const claim of ['Nothing was written', 'No function has answered', 'No resync had to']) {
          assert.equal(await page.getByText(claim).count(), 0, `${path}: ${claim}`);
        }
      }
    } finally {
      await browser.close();
      await real.close();
    }
  });
});
