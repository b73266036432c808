import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Received } from '../../packages/controller/domain/change.ts';
import { openBrowser, openConsole } from './browser.ts';
import { answerTo, messageEvent, type RealLog, startRealLog } from './real-log.ts';

/** An event about a Pod that a Message owns. */
function podEvent(name: string, { owner, phase }: { readonly owner: string; readonly phase: string }): Received {
  const { extensions, ...event } = messageEvent(`${name}-${phase}`);
  const ownerReferences = [{ kind: 'Message', name: 'hello', uid: owner, controller: true }];
  const metadata = { namespace: 'shop', name, uid: `uid-${name}`, resourceVersion: phase, ownerReferences };
  const about = new Map([...extensions, ['kind', 'Pod'], ['name', name], ['apiversion', 'v1']]);
  return { ...event, extensions: about, data: { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase } } };
}

describe('a person sees the children of an object', () => {
  let real: RealLog;
  let browser: Browser;
  let page: Page;
  before(async () => {
    [real, browser] = await Promise.all([startRealLog(), openBrowser()]);
    const first = [
      podEvent('msg-hello', { owner: 'uid-hello', phase: 'Pending' }),
      podEvent('msg-hello', { owner: 'uid-hello', phase: 'Running' }),
      podEvent('msg-other', { owner: 'uid-other', phase: 'Running' }),
    ];
    // More events of the namespace than a page would read.
    const others = Array.from({ length: 1100 }, (_, index) => messageEvent(`o-${index}`, 60, `other-${index}`));
    await Promise.all([...first, ...others, messageEvent('hello')].map((event) => real.log.append(event)));
    page = (await openConsole(browser, real.pages)).page;
  });
  after(async () => {
    await browser?.close();
    await real?.close();
  });

  it('also one whose last event is a thousand events ago, and a new one as soon as it comes', async () => {
    await page.goto(`${real.pages}#/objects/Message/shop/hello`);
    const children = page.getByRole('region', { name: 'Children' }).getByRole('listitem');
    await children.first().waitFor();
    assert.deepEqual(await children.allInnerTexts(), ['Pod shop/msg-hello\nRunning']);
    await real.log.append(podEvent('msg-new', { owner: 'uid-hello', phase: 'Pending' }));
    await children.filter({ hasText: 'Pod shop/msg-new Pending' }).waitFor();
    assert.equal(await children.count(), 2);
  });

  it('whose state in the cluster is not to be had here, and is that of the events', async () => {
    await page
      .getByRole('region', { name: 'Now' })
      .getByText('Its state in the cluster: not to be had here.')
      .waitFor();
    await page.getByText('as the newest event has them').waitFor();
  });

  it('and reads that a function made one, and that somebody else changed it since', async () => {
    const about = { kind: 'Pod', namespace: 'shop', name: 'msg-hello', uid: 'uid-msg-hello' };
    const written = [{ do: 'create', ...about, resourceVersion: 'first' }];
    await real.log.appendDeliveries([answerTo(messageEvent('hello'), { outcome: 'done', writes: 1, written })]);
    const sentence =
      'No function reports this version: somebody else changed the object, or the report is missing. ' +
      'message-changed made the object before, because of';
    await page.goto(`${real.pages}#/events/msg-hello-Running`);
    await page.locator('.cause', { hasText: sentence }).getByRole('link').first().waitFor();
    await page.goto(`${real.pages}#/objects/Pod/shop/msg-hello`);
    await page.locator('.versions', { hasText: `${sentence} event ` }).waitFor();
  });
});
