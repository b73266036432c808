import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textOf } from '../text.ts';

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
