import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distributedService, tcpSpec } from '../../../../test/build/objects.ts';
import { readCrd } from '../../../../test/crds/read.ts';
import { backendSelector } from '../../discovery/backend-selector.ts';

const { properties } = readCrd('distributedservices').spec.versions[0]?.schema.openAPIV3Schema ?? {};
const longest = properties?.['status']?.properties?.['selector']?.maxLength ?? 0;

/** A service with a selector of this many characters: `app in (…)` with values of 63. */
function selecting(length: number) {
  const values: string[] = [];
  for (let rest = length - 'app in ('.length; rest > 0; rest -= 64) values.push('a'.repeat(Math.min(63, rest - 1)));
  const selector = { matchExpressions: [{ key: 'app', operator: 'In', values }] } as const;
  return distributedService('web', { backends: { ...tcpSpec.backends, discovery: 'selector', port: 80, selector } });
}

test('a selector as long as the status may have it is there whole, and a longer one is left out', () => {
  assert.equal(longest, 2048);
  assert.equal(backendSelector(selecting(longest), undefined).selector?.length, longest);
  assert.deepEqual(backendSelector(selecting(longest + 1), undefined), {});
});
