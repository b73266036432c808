import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser, openConsole, type Person } from './browser.ts';
import { type ConsoleMesh, startConsoleMesh } from './mesh.ts';

/** What anybody who reaches the Broker may send about a Message: JSON, and an object of no kind that an API server would show. */
const hostile: readonly unknown[] = [
  'text',
  [null],
  { metadata: 'text' },
  { metadata: { uid: {}, resourceVersion: [] } },
  ...['text', 7, {}, [null], ['text'], [{ time: {} }, { time: 7 }], [{ manager: {}, fieldsV1: [null] }]].flatMap(
    (odd) => [
      { metadata: { uid: 'u', managedFields: odd }, status: { conditions: odd } },
      { metadata: { uid: 'u', ownerReferences: odd, labels: odd, finalizers: odd }, spec: odd, status: odd },
    ],
  ),
];

describe('events whose data nobody expects', () => {
  let mesh: ConsoleMesh;
  let browser: Browser;
  let person: Person;
  before(async () => {
    [mesh, browser] = await Promise.all([startConsoleMesh(), openBrowser()]);
    person = await openConsole(browser, mesh.url());
    for (const data of hostile) await mesh.sendEvent('odd', JSON.stringify(data));
  });
  after(async () => {
    await browser?.close();
    await mesh?.close();
  });

  const listed = async (): Promise<readonly string[]> => {
    await person.page.goto(`${mesh.pages}#/events?name=odd`);
    const rows = person.page.locator('.list a[data-row]');
    await rows.nth(hostile.length - 1).waitFor();
    return rows.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  };

  it('are listed, each has its page, and so has the object', async () => {
    for (const href of await listed()) {
      await person.page.goto(`${mesh.pages}${href}`);
      await person.page.getByRole('heading', { level: 1, name: /^Event \d+$/ }).waitFor();
      await person.page.getByRole('region', { name: 'Attributes' }).getByText('/a/person').waitFor();
      await person.page.getByRole('region', { name: 'What changed' }).getByText('All data').waitFor();
    }
    await person.page.goto(`${mesh.pages}#/objects/Message/default/odd`);
    await person.page.getByRole('region', { name: 'History' }).getByRole('link').first().waitFor();
    await person.page.getByRole('region', { name: 'Children' }).waitFor();
  });

  it('make no page fail', () => assert.deepEqual(person.wrong, []));
});
