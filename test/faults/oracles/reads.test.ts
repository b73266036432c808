import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksFor } from './reads.ts';

const query = { labelSelector: 'a=b', fieldSelector: 'spec.c=d' };

for (const [name, parameters, wanted] of [
  ['the same selectors', { labelSelector: 'a=b', fieldSelector: 'spec.c=d', limit: '250' }, true],
  ['the labels alone', { labelSelector: 'a=b' }, false],
  ['the fields alone', { fieldSelector: 'spec.c=d' }, false],
  ['other fields', { labelSelector: 'a=b', fieldSelector: 'spec.c=e' }, false],
] as const) {
  test(`a request with ${name} is ${wanted ? 'one' : 'none'} for a query by labels and fields`, () => {
    assert.equal(asksFor(query, parameters), wanted);
  });
}

test('a query without selectors is that of a request without any', () => {
  assert.equal(asksFor({ labelSelector: '' }, { limit: '250' }), true);
  assert.equal(asksFor({ labelSelector: '' }, { fieldSelector: 'spec.c=d' }), false);
});
