import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { HistoryAnswer } from '../../packages/console/model/answers.ts';
import type { DeadLetter } from '../../packages/console/model/types.ts';
import { until } from '../kube/until.ts';
import { openBrowser, openConsole, type Person } from './browser.ts';
import { type ConsoleMesh, startConsoleMesh, untilProcessed } from './mesh.ts';

describe('a person uses the console of a mesh', () => {
  let mesh: ConsoleMesh;
  let browser: Browser;
  let person: Person;
  let page: Page;
  const at = (path: string) => page.goto(`${mesh.pages}${path}`);

  before(async () => {
    [mesh, browser] = await Promise.all([startConsoleMesh(), openBrowser()]);
    person = await openConsole(browser, mesh.url(), { permissions: ['clipboard-read', 'clipboard-write'] });
    page = person.page;
    await mesh.endResyncs();
  });
  after(async () => {
    await browser?.close();
    await mesh?.close();
  });

  it('has lost the token of the address, and sees what it changes in the live tail', async () => {
    assert.equal(new URL(page.url()).hash, '#/');
    const tail = page.getByRole('list', { name: 'The last events, newest first' });
    await mesh.putMessage('hello', 'Hello');
    await tail.getByText('default/hello').first().waitFor();
    await page.keyboard.press('p');
    await page.getByRole('button', { name: /^Resume/ }).waitFor();
    await mesh.putMessage('later', 'Later');
    await page.getByRole('button', { name: /^Resume \([1-9]\d* new\)/ }).waitFor();
    assert.equal(await tail.getByText('default/later').count(), 0);
    await page.keyboard.press('p');
    await tail.getByText('default/later').first().waitFor();
    await untilProcessed({ mesh, page }, 'hello');
  });

  it('sees how much memory a function has that is awake', async () => {
    await at('#/functions');
    const own = page.getByRole('region', { name: 'message-changed' });
    await own.getByText('memory').waitFor();
    await own.getByText(/^\d+ MB( in \d+ processes)?$/).waitFor();
  });

  it('sees the diff, the waterfall, and what came of a patch', async () => {
    await mesh.putMessage('hello', 'Hello again');
    const patched = async (): Promise<number | undefined> => {
      const { versions } = await mesh.ask<HistoryAnswer>(page, '/objects/Message/default/hello/history');
      return versions.find(({ changes }) => changes.some(({ after: now }) => now === 'Hello again'))?.event.seq;
    };
    await until('the log has the patch', async () => (await patched()) !== undefined);
    const seq = await patched();
    await untilProcessed({ mesh, page }, 'hello', seq);
    await at(`#/events/${seq}`);
    await page.getByRole('img', { name: new RegExp(`Waterfall of event ${seq}`) }).waitFor();
    await page.locator('.waterfall').getByText('message-changed').waitFor();
    const diff = page.getByRole('region', { name: 'What changed' });
    await diff.getByText('spec.text').waitFor();
    await diff.getByText('Hello again', { exact: true }).first().waitFor();
    const tree = page.getByRole('list', { name: 'Cause and effects' });
    await tree.getByText('came from outside').waitFor();
    await tree.getByText('default/msg-hello').first().waitFor();
    await page.getByText('As a table').first().click();
    await page.getByRole('cell', { name: 'message-changed' }).first().waitFor();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /ce-kind: Message[\s\S]*Hello again/);
    await page.getByRole('button', { name: 'Copy as fixture' }).click();
    await until('it is copied', async () =>
      (await page.evaluate<string>('navigator.clipboard.readText()')).startsWith('{\n  "headers"'),
    );
  });

  it('goes by keys alone from the flow to an event, to its cause and back', async () => {
    await at('#/');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('kind=Message name=hello');
    await page.keyboard.press('Enter');
    await page.waitForURL(/kind=Message&name=hello/);
    await page.keyboard.press('Escape');
    await until('the list shows Messages alone', async () => {
      const objects = await page.locator('.list .all .object').allInnerTexts();
      return objects.length > 0 && objects.every((one) => one.startsWith('Message'));
    });
    for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key);
    const heading = page.getByRole('heading', { level: 1, name: /^Event \d+$/ });
    await heading.waitFor();
    const first = await heading.innerText();
    await page.getByText('wrote this version, because of').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await until('the cause is shown', async () => ![first, ''].includes(await heading.innerText()));
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.getByRole('heading', { name: 'Flow', level: 1 }).waitFor();
  });

  it('sees an object: its versions, who wrote them, its conditions, its child; and reconciles it', async () => {
    await at('#/objects/Message/default/hello');
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('a-person').first().waitFor();
    await history.getByText('Hello again', { exact: true }).first().waitFor();
    await page.getByText('Pod default/msg-hello Ready 1/1, Status Running, Restarts 0').waitFor();
    await page.getByRole('region', { name: 'Now' }).getByText('Phase Processed, Pod msg-hello').waitFor();
    await page.getByRole('cell', { name: 'Ready', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Reconcile now' }).click();
    await page.getByText(/^Event \d+ was sent again/).waitFor();
  });

  it('sees the dead letter of a broken function, sends it again, and sees its row turn into what became of it', async () => {
    await at('#/dead-letters');
    await page.getByText('There are no open dead letters.').waitFor();
    const mend = await mesh.breakFunction('message-changed');
    await mesh.putMessage('hello', 'Nobody takes this');
    const group = page.getByRole('region', { name: /^message-changed/ });
    await group.getByText('default/hello').first().waitFor();
    await mend();
    await group.getByRole('button', { name: /^Retry/ }).click();
    await group
      .getByText(/^[✓○] (done|ignored)$/)
      .first()
      .waitFor();
    const { deadLetters } = await mesh.ask<{ deadLetters: DeadLetter[] }>(page, '/dead-letters');
    assert.ok(deadLetters.some(({ state }) => state === 'sent-again'));
    const [letter] = deadLetters;
    await at(`#/events/${letter?.id}`);
    const waterfall = page.locator('.waterfall');
    await waterfall.locator('rect.failed').nth(3).waitFor();
    await waterfall.getByText('↻ message-changed').waitFor();
  });

  it('plans a replay, and runs it to its end', async () => {
    await at('#/replay?kind=Message&name=hello');
    const counted = page.getByRole('region', { name: '2. Count' }).getByText(/^\d+ events$/);
    await counted.waitFor();
    const count = Number.parseInt(await counted.innerText(), 10);
    assert.ok(count > 3);
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('.verdict').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText(`${count} sent, 0 refused, of ${count}`).waitFor();
  });

  it('sees what would be done now about an object, and what the doctor finds', async () => {
    await at('#/objects/Message/default/hello');
    await page.getByRole('button', { name: 'What would be done now' }).click();
    await page.getByText('0 writes').waitFor();
    await at('#/doctor');
    await page.getByRole('button', { name: 'Run again' }).waitFor();
    await page
      .getByText(/in order/)
      .first()
      .waitFor();
  });

  it('goes on when the event log was killed', async () => {
    await at('#/');
    await page.locator('.state.live').waitFor();
    for (const pid of mesh.mesh.pidsOf('event-log')) process.kill(pid, 'SIGKILL');
    await mesh.putMessage('after-a-death', 'Hello');
    await page
      .getByRole('list', { name: 'The last events, newest first' })
      .getByText('default/after-a-death')
      .first()
      .waitFor();
    await page.locator('.state.live').waitFor();
  });

  it('may not do what the log does not allow, and sees why', async () => {
    const why = 'this account may not post to /dead-letters';
    await mesh.sendEvent('hello', '[');
    await page.route('**/console/api/may', (route) =>
      route.fulfill({ json: { may: { retry: { allowed: false, why } } } }),
    );
    await page.reload();
    await at('#/dead-letters');
    await page.getByText(why).first().waitFor();
    assert.equal(
      await page
        .getByRole('button', { name: /^Retry/ })
        .first()
        .isDisabled(),
      true,
    );
  });

  it('met nothing that a page or its policy refused', () => assert.deepEqual(person.wrong, []));
});
