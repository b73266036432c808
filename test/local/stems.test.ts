import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stemsIn } from '../../src/local/stems.ts';
import { stems } from '../build/stems.ts';
import { root } from '../house/files.ts';

it('the stems by their files are those of the table', () => assert.deepEqual(stemsIn(root), [...stems].sort()));
