import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { resyncTypes } from '../../packages/controller/domain/change.ts';
import { until } from '../kube/until.ts';
import { openBrowser, openConsole } from './browser.ts';
import { answers, answerTo, messageEvent, type RealLog, startRealLog } from './real-log.ts';

const object = {
  kind: 'Message',
  namespace: 'shop',
  name: 'hello',
  events: 1,
  last: 1,
  functions: ['message-changed'],
};
const plan = { objects: [{ ...object, writes: [{ do: 'status', changes: [] }] }], failed: [], answers: 1, events: 1 };
const finding = { check: 'triggers', level: 'problem', what: 'a Trigger is away', todo: 'Run `npx knudge install`.' };
const examined = { findings: [finding, { check: 'broker', level: 'ok', what: 'the Broker is there' }] };

/** The element that has the keyboard: its text or its label. */
const focused = `(({ activeElement: it }) =>
  it === null ? '' : (it.getAttribute('aria-label') || it.labels?.[0]?.innerText || it.innerText || it.id).trim())(document)`;

describe('a person with a keyboard alone', () => {
  let real: RealLog;
  let browser: Browser;
  let page: Page;
  before(async () => {
    [real, browser] = await Promise.all([startRealLog(), openBrowser()]);
    const tick = {
      ...messageEvent('tick'),
      type: resyncTypes.tick,
      source: '/tick',
      extensions: new Map<string, string>(),
    };
    for (const event of [messageEvent('1'), messageEvent('2'), tick]) await real.log.append(event);
    await real.log.appendDeliveries([answerTo(messageEvent('1')), answerTo(messageEvent('2'))]);
    page = (await openConsole(browser, real.pages, { permissions: ['clipboard-read', 'clipboard-write'] })).page;
    await answers(page, '/plan', plan);
    await answers(page, '/doctor', examined);
    await answers(page, '/functions', { functions: [{ name: 'message-changed', awake: 1 }] });
  });
  after(async () => {
    await browser?.close();
    await real?.close();
  });

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  /** Goes on by Tab to an element of the page, which shows that it has the keyboard. */
  const tabTo = async (name: string): Promise<void> => {
    for (let step = 0; step < 60; step += 1) {
      if ((await page.evaluate<string>(focused)) === name) {
        const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
        assert.notEqual(outline, 'none', `${name} does not show that it has the keyboard`);
        return;
      }
      await page.keyboard.press('Tab');
    }
    assert.fail(`no Tab leads to ${name}`);
  };

  it('goes from an event to its object, plans, reconciles, and reads a version', async () => {
    await press('g', 'e');
    await heading('Events');
    await page.locator('.list .all .object').first().waitFor();
    await press('j', 'j', 'Enter');
    await heading('Event 2');
    await tabTo('Message shop/hello');
    await press('Enter');
    await heading('hello');
    assert.equal(await page.evaluate<string>(focused), 'hello', 'the heading of the new page has the keyboard');
    await tabTo('What would be done now');
    await press('Space');
    await page.getByRole('region', { name: 'Plan', exact: true }).getByText('1 write').waitFor();
    await tabTo('Reconcile now');
    await press('Enter');
    await page.getByText('Event 2 was sent again').waitFor();
    await press('j', 'j', 'Enter');
    await heading('Event 1');
    await press('u');
    await heading('Events');
  });

  it('chooses, plans and runs a replay', async () => {
    await press('g', 'r');
    await heading('Replay');
    await press('/');
    await page.keyboard.type('kind=Message');
    await press('Enter', 'Escape');
    await page.getByText('2 events', { exact: true }).first().waitFor();
    await tabTo('Of which dead letters');
    await page.keyboard.type('open');
    await page.getByText('No event fits.').waitFor();
    await press('Home');
    await page.getByText('2 events', { exact: true }).first().waitFor();
    await tabTo('Plan');
    await press('Enter');
    await page.getByRole('region', { name: '3. Plan' }).getByRole('link', { name: 'Message shop/hello' }).waitFor();
    await tabTo('Events a second');
    await press('ArrowUp');
    await tabTo('Run');
    const before = real.sent.length;
    await press('Space');
    await page.getByText('2 sent, 0 refused, of 2').waitFor();
    assert.equal(real.sent.length, before + 2);
  });

  it('has the doctor look again, copies what to do, and opens what is in order', async () => {
    await press('g', 'x');
    await heading('Doctor');
    await page.getByText('a Trigger is away').waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/doctor')) asked += 1;
    });
    await tabTo('Run again');
    await press('Enter');
    await until('the doctor has looked again', async () => asked === 1);
    await tabTo('Copy');
    await press('Enter');
    await page.getByText('Copied.').waitFor();
    assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), 'npx knudge install');
    await tabTo('✓ broker 1');
    await press('Enter');
    await page.getByText('the Broker is there').waitFor();
  });

  it('goes from a round of the resync to its event and back', async () => {
    await press('g', 's');
    await heading('Resync and repairs');
    await page.locator('main [data-row]').first().waitFor();
    await press('j', 'Enter');
    await heading('Event 3');
    await press('g', 's');
    await heading('Resync and repairs');
  });

  it('opens the tables below the drawings of functions, and scrolls them', async () => {
    await press('g', 'n');
    await heading('Functions');
    const table = page.locator('details.twin').first();
    await table.waitFor();
    await tabTo('As a table');
    await press('Enter');
    await table.getByRole('table').waitFor();
    const label = (await table.getByRole('group').getAttribute('aria-label')) ?? '';
    await tabTo(label);
  });
});
