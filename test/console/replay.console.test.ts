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
    await answers(page, '/plan', { objects: [], failed: [], answers: 10, events: 10, cut: true });
    await page.goto(`${real.pages}#/replay?kind=Message`);
    await button('Plan').click();
    await page.getByText(`Of the first 10 of ${count} events.`).waitFor();
  });

  it('sees each object once that a plan would change, with how many events lead to it, and each refusal once', async () => {
    const changes = [{ field: '/data/a', before: '1', after: '2' }];
    const writes = [
      { do: 'apply', changes, refusal: 'nobody may' },
      { do: 'status', changes },
    ];
    const object = { kind: 'ConfigMap', namespace: 'shop', name: 'a', events: 9, last: 29, functions: ['f', 'g'] };
    const failed = [{ function: 'h', failed: 'it answered 503', events: 4, last: 12 }];
    await answers(page, '/plan', { objects: [{ ...object, writes }], leftOut: 3, failed, answers: 20, events: count });
    await page.goto(`${real.pages}#/replay?kind=Message&name=hello`);
    await button('Plan').click();
    const plan = page.getByRole('region', { name: '3. Plan' });
    const [first, second] = [plan.locator('.plans > li').first(), plan.locator('.plans > li').nth(1)];
    assert.match(await first.innerText(), /^ConfigMap shop\/a by f, g because of 9 events, the last is event 29\n/);
    assert.equal(await first.locator('.write').count(), 2);
    const refused = first.locator('.write').filter({ hasText: 'The API server refuses to try it: nobody may' });
    assert.match(await refused.innerText(), /^apply\s+✕ refused/);
    assert.equal(await refused.count(), 1);
    assert.match(await second.innerText(), /^h because of 4 events, the last is event 12\s+it answered 503$/);
    assert.equal(
      await plan.locator('.verdict').innerText(),
      '! 5 writes This is what would be written. ✕ 4 not planned',
    );
    await plan.getByText('3 more writes are left out').waitFor();
    await first.getByRole('link', { name: 'ConfigMap shop/a' }).click();
    await page.getByRole('heading', { level: 1, name: 'a' }).waitFor();
  });
});
