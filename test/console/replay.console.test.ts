import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { openBrowser, openConsole } from './browser.ts';
import { answers, messageEvent, type RealLog, startRealLog } from './real-log.ts';

const count = 30;

describe('a person replays the events of a log', () => {
  let real: RealLog;
  let browser: Browser;
  let page: Page;
  /** The Broker is away from then on. */
  let isAway = false;
  before(async () => {
    const send = async (): Promise<void> => {
      if (isAway) throw new KnudgeError('unavailable', 'the Broker does not answer');
    };
    [real, browser] = await Promise.all([startRealLog(send), openBrowser()]);
    for (let index = 0; index < count; index += 1) await real.log.append(messageEvent(`e-${index}`));
    page = (await openConsole(browser, real.pages)).page;
  });
  after(async () => {
    await browser?.close();
    await real?.close();
  });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  it('over several requests at a low rate, stopped and resumed, through an absence of the Broker: each event once', async () => {
    await page.goto(`${real.pages}#/replay?kind=Message`);
    await page.getByText(`${count} events`, { exact: true }).first().waitFor();
    await page.getByLabel('Events a second').fill('2');
    await button('Run').click();
    await button('Stop').click();
    const stopped = page.locator('.progress', { hasText: 'stopped' });
    await stopped.waitFor();
    const first = real.sent.length;
    assert.ok(first > 5 && first < count, `${first} were sent by the first request`);
    // The second request has sent something when the Broker goes.
    setTimeout(() => {
      isAway = true;
    }, 2000);
    await button('Resume').click();
    await page.getByText('the Broker does not answer').waitFor();
    isAway = false;
    assert.ok(real.sent.length > first, 'the second request sent nothing');
    await page.getByText(`${real.sent.length} sent, 0 refused, of ${count}`).waitFor();
    await button('Resume').click();
    await page.getByText(`${count} sent, 0 refused, of ${count}`).waitFor({ timeout: 60_000 });
    const ids = real.sent.map(({ data }) => (data as { readonly spec: { readonly text: string } }).spec.text);
    assert.deepEqual([ids.length, new Set(ids).size], [count, count]);
  });

  it('not by words that a replay does not take: the page says so, and sends nothing', async () => {
    for (const words of ['q=hello', 'changed=spec', 'only=failed']) {
      await page.goto(`${real.pages}#/replay?kind=Message&${words}`);
      await page.getByText('A replay cannot choose by').waitFor();
      for (const name of ['Plan', 'Run']) assert.equal(await button(name).isDisabled(), true, `${name} at ${words}`);
      assert.equal(await page.getByText(`${count} events`).count(), 0);
    }
  });

  it('says of how many events a plan is the first', async () => {
    await answers(page, '/plan', { plans: [], events: 10, cut: true });
    await page.goto(`${real.pages}#/replay?kind=Message`);
    await button('Plan').click();
    await page.getByText(`Of the first 10 of ${count} events.`).waitFor();
  });
});
