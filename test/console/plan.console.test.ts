import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import type { HistoryAnswer } from '../../packages/console/model/answers.ts';
import { startInstance } from '../../packages/mesh/functions/instance.ts';
import { functionCommand } from '../../packages/start/command.ts';
import { root } from '../house/files.ts';
import { until } from '../kube/until.ts';
import { openBrowser, openConsole, type Person } from './browser.ts';
import { type ConsoleMesh, startConsoleMesh } from './mesh.ts';

describe('a person sees what a plan would change, after a function was broken', () => {
  let mesh: ConsoleMesh;
  let browser: Browser;
  let person: Person;
  let page: Page;
  const at = (path: string) => page.goto(`${mesh.pages}${path}`);

  /** Waits until the log has a version of a Message in which this stands. */
  const shows = (name: string, text: string) =>
    until(`the log has ${text}`, async () => {
      const { versions } = await mesh.ask<HistoryAnswer>(page, `/objects/Message/default/${name}/history`);
      return versions.some(({ changes }) => JSON.stringify(changes).includes(text));
    });

  before(async () => {
    [mesh, browser] = await Promise.all([startConsoleMesh(), openBrowser()]);
    person = await openConsole(browser, mesh.url());
    page = person.page;
    await mesh.putMessage('changed', 'First');
    await shows('changed', 'Processed');
    await mesh.endResyncs();
    const mend = await mesh.breakFunction('message-changed');
    for (const name of ['changed', 'made']) {
      await mesh.putMessage(name, 'Not written yet');
      await shows(name, 'Not written yet');
    }
    await mend();
  });
  after(async () => {
    await browser?.close();
    await mesh?.close();
  });

  const planned = async (button: string, panel: string): Promise<Locator> => {
    await page.getByRole('button', { name: button, exact: true }).click();
    const objects = page.getByRole('region', { name: panel, exact: true }).locator('.plans > li');
    await objects.first().waitFor({ timeout: 60_000 });
    return objects;
  };

  it('of a replay all of the Pod that would be made', async () => {
    await at('#/replay?kind=Message&name=made');
    await page
      .getByRole('region', { name: '2. Count' })
      .getByText(/^\d+ events$/)
      .waitFor();
    const made = (await planned('Plan', '3. Plan')).filter({ hasText: 'Pod default/msg-made' });
    assert.match(await made.locator('ins').innerText(), /"name": "msg-made"[\s\S]*Not written yet/);
  });

  it('of a replay the Pod that would go, and the status before and after', async () => {
    await at('#/replay?kind=Message&name=changed');
    await page
      .getByRole('region', { name: '2. Count' })
      .getByText(/^\d+ events$/)
      .waitFor();
    const objects = await planned('Plan', '3. Plan');
    // Several events about one Message: each object is there once.
    const about = (name: string) => objects.filter({ has: page.getByRole('link', { name, exact: true }) });
    const gone = about('Pod default/msg-changed');
    await gone.getByText(/because of \d+ events, the last is event \d+/).waitFor();
    await gone.getByText('delete', { exact: true }).waitFor();
    await gone.getByText('The object goes, and after it what it owns.').waitFor();
    const status = about('Message default/changed');
    await status.locator('summary').click();
    const phase = status.locator('.diff > div').filter({ hasText: 'status.phase' });
    assert.equal(await phase.locator('del').innerText(), 'Processed');
    assert.equal(await phase.locator('ins').innerText(), 'Pending');
  });

  it('of an object what would be done now, and of an event', async () => {
    await at('#/objects/Message/default/made');
    const now = (await planned('What would be done now', 'Plan')).filter({
      hasText: 'Pod default/msg-made',
    });
    assert.match(await now.locator('ins').innerText(), /"name": "msg-made"/);
    const { versions } = await mesh.ask<HistoryAnswer>(page, '/objects/Message/default/made/history');
    await at(`#/events/${versions[0]?.event.seq}`);
    const then = (await planned('Plan', 'Plan')).filter({ hasText: 'Pod default/msg-made' });
    assert.match(await then.locator('ins').innerText(), /"name": "msg-made"/);
  });

  it('of an event what another version of the function would write otherwise', async () => {
    const env = { ...process.env, KUBECONFIG: mesh.mesh.state.kubeconfig, MESSAGE_IMAGE: 'busybox:another' };
    const command = functionCommand('message-changed', root);
    const other = startInstance({ command, env: env as Record<string, string>, onLine: () => {} });
    try {
      const { versions } = await mesh.ask<HistoryAnswer>(page, '/objects/Message/default/made/history');
      await at(`#/events/${versions[0]?.event.seq}`);
      const panel = page.getByRole('region', { name: 'Another version' });
      await panel.getByRole('combobox', { name: 'Function' }).selectOption('message-changed');
      await panel.getByLabel('Address of the other version').fill(`http://127.0.0.1:${await other.listening}`);
      await panel.getByRole('button', { name: 'Compare' }).click();
      const row = panel.getByRole('row').filter({ hasText: '/spec/containers/0/image' });
      await row.getByText('"busybox:another"').waitFor({ timeout: 60_000 });
      await row.getByText('create Pod default/msg-made').waitFor();
    } finally {
      await other.leave(3000);
    }
  });

  it('of an object that no function would be woken for, as the Triggers are now', async () => {
    const mend = await mesh.breakFunction('message-changed');
    try {
      await at('#/objects/Message/default/made');
      await page.getByRole('button', { name: 'What would be done now', exact: true }).click();
      const panel = page.getByRole('region', { name: 'Plan', exact: true });
      await panel.getByText('No function wants this.').waitFor({ timeout: 60_000 });
    } finally {
      await mend();
    }
  });

  it('met nothing that a page or its policy refused', () => assert.deepEqual(person.wrong, []));
});
