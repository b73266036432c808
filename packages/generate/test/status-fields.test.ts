import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { textOf } from '../../../test/house/files.ts';
import { insistOnStatus } from '../types/status-fields.ts';

const text = textOf('crds/messages.yaml');
const resources = [{ kind: 'Message' }];

test('a status that has what Knudge writes is taken', () => insistOnStatus(resources, [parse(text)]));

for (const field of ['conditions', 'observedGeneration', 'recentWrites']) {
  const without = text.replaceAll(new RegExp(`^( {16})${field}:$`, 'gm'), '$1another:');

  test(`a status without ${field} is refused, for its API server would refuse every status`, () => {
    assert.notEqual(without, text);
    assert.throws(() => insistOnStatus(resources, [parse(without)]), {
      message: new RegExp(`^Message v1: the status in its CRD lacks ${field}, which Knudge writes`),
    });
  });

  test(`a definition without ${field} that is of no resource is taken`, () => insistOnStatus([], [parse(without)]));
}
