import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRecent } from '../store/recent.ts';

describe('a cache of what was added last', () => {
  it('forgets the oldest', () => {
    const recent = createRecent<string, number>(2);
    for (const [at, key] of ['a', 'b', 'a', 'c'].entries()) recent.set(key, at);
    assert.deepEqual([recent.get('a'), recent.get('b'), recent.get('c')], [2, undefined, 3]);
  });
});
