import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRecent } from '../../../src/local/api/recent.ts';
import { textOf } from '../../../src/local/api/text.ts';

describe('a cache of what was added last', () => {
  it('forgets the oldest', () => {
    const recent = createRecent<string, number>(2);
    for (const [at, key] of ['a', 'b', 'a', 'c'].entries()) recent.set(key, at);
    assert.deepEqual([recent.get('a'), recent.get('b'), recent.get('c')], [2, undefined, 3]);
  });
});

describe('the text of an object', () => {
  it('is the same text for an object and as an item of a list', () => {
    const pod = { metadata: { name: 'web' } };
    assert.equal(textOf(pod), '{"metadata":{"name":"web"}}');
    assert.equal(
      textOf({ kind: 'List', items: [pod, pod] }),
      `{"kind":"List","items":[${textOf(pod)},${textOf(pod)}]}`,
    );
  });

  it('of a list is of the items that it has now', () => {
    const items = [{ metadata: { name: 'web' } }];
    const list = { items };
    textOf(list);
    items.push({ metadata: { name: 'other' } });
    assert.match(textOf(list), /other/);
  });
});
