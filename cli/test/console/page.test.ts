import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { routeOf, tokenIn } from '../../../packages/console/model/route.ts';
import { addressOf, pageNames, pageOf } from '../../console/page.ts';

const url = 'http://127.0.0.1:8309/console/#token=t';

test('the address of a page leads there, with its token', () => {
  for (const [text, parts, query] of [
    ['events', ['events'], ''],
    ['/events/129', ['events', '129'], ''],
    ['#/objects/Message/default/hello', ['objects', 'Message', 'default', 'hello'], ''],
    ['events?kind=Message&q=a%26b', ['events'], 'kind=Message&q=a%26b'],
  ] as const) {
    const { token, rest = '' } = tokenIn(new URL(addressOf(url, pageOf(text))).hash) ?? {};
    const route = routeOf(rest);
    assert.deepEqual([token, route.parts, route.query.toString()], ['t', parts, query], text);
  }
  assert.equal(addressOf(url, undefined), url);
  assert.equal(addressOf(url, pageOf('events/129')), `${url}&to=/events/129`);
});

test('what is no page is refused', () => {
  for (const text of ['', 'event', 'events/1/2', 'events/', 'objects/Message/hello', 'doctor/x', 'toString'])
    assert.throws(() => pageOf(text), /The console has these pages: events, events\/129, dead-letters, /, text);
});

test('the pages are those of the console', () => {
  const text = readFileSync(new URL('../../../packages/console/pages/app.ts', import.meta.url), 'utf8');
  const table = /const byName[^{]*\{\n(.*?)\n\};/s.exec(text)?.[1] ?? '';
  const names = [...table.matchAll(/^ {2}'?([\w-]*)'?: \w+,$/gm)].map(([, name]) => name);
  assert.deepEqual([...names, 'objects'], ['', ...pageNames]);
});
