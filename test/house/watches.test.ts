import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksAt, watches } from '../../functions/table.ts';
import { groupOf } from '../../packages/controller/domain/kube-object.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';

const ofOthers = ['cluster-objects', 'secret-references'];

test('the source of Knudge watches what the ApiServerSources watch', () => {
  const { sources } = readManifests({ root: process.cwd() });
  const wanted = sources
    .filter(({ name }) => ofOthers.includes(name))
    .map(({ mode, resources }) => ({
      mode,
      resources: resources.map(({ apiVersion, kind, selector }) => ({ apiVersion, kind, selector })),
    }));
  assert.equal(wanted.length, ofOthers.length);
  assert.deepEqual(watches, wanted);
});

test('of each kind that it watches a function says what it looks at', () => {
  for (const { resources } of watches)
    for (const { apiVersion, kind } of resources) assert.ok(`${groupOf(apiVersion)}/${kind}` in looksAt, kind);
});
