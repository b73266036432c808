import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { textOf } from '../../../test/house/files.ts';
import { insistOnStatus } from '../types/status-fields.ts';

const text = textOf('crds/messages.yaml');
const resources = [{ kind: 'Message', replaces: true }] as const;

test('a status that has what Knudge writes is taken', () => insistOnStatus(resources, [parse(text)]));

for (const field of ['conditions', 'observedGeneration', 'recentWrites', 'attempts', 'lastAttempt']) {
  const without = text.replaceAll(new RegExp(`^( {16})${field}:$`, 'gm'), '$1another:');

  test(`a status without ${field} is refused, for its API server would refuse every status`, () => {
    assert.notEqual(without, text);
    assert.throws(() => insistOnStatus(resources, [parse(without)]), {
      message: new RegExp(`^Message v1: the status in its CRD lacks ${field}, which Knudge writes`),
    });
  });

  test(`a definition without ${field} that is of no resource is taken`, () => insistOnStatus([], [parse(without)]));
}

for (const field of ['attempts', 'lastAttempt'])
  test(`a status without ${field} is taken of a resource whose child is changed`, () =>
    insistOnStatus([{ kind: 'Message' }], [parse(text.replace(`${field}:`, 'another:'))]));
