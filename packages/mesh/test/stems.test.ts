import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stems } from '../../../test/build/stems.ts';
import { root } from '../../../test/house/files.ts';
import { stemsIn } from '../stems.ts';

it('the stems in the text of the table are those of the table', () =>
  assert.deepEqual(stemsIn(root), [...stems].sort()));
