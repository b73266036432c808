import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { restarted } from '../../packages/controller/domain/change.ts';
import { guessedPlural } from '../../packages/controller/domain/plural.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import { changeStems } from '../build/stems.ts';
import { root, textOf } from './files.ts';
import { manifest } from './manifest.ts';
import { watched } from './watched.ts';

const { sources } = readManifests({ root });

describe('the sources', () => {
  for (const stem of changeStems) {
    it(`watch what docs/events.md says of ${stem}`, () => {
      const [, what = '', mode = ''] = rowOf(stem);
      const entries = watched(sources, stem);
      assert.deepEqual(entries.map(({ selector }) => selector).sort(), selectorsIn(what));
      assert.deepEqual(new Set(entries.map((entry) => entry.mode)), new Set([mode.split(',')[0]]));
    });
  }

  for (const source of sources) {
    const isOfAdapters = source.name === 'source-adapters';
    it(`${source.name} may read what it watches, where it watches, and nothing else`, () => {
      assert.deepEqual(source.namespaces, { kind: isOfAdapters ? 'own' : 'all' });
      assert.deepEqual(source.sink, { kind: 'broker', namespace: 'knudge', name: 'knudge' });
      const [, role, binding] = manifest(`eventing/sources/${source.name}.yaml`);
      assert.equal(role?.kind, isOfAdapters ? 'Role' : 'ClusterRole');
      const rules = role.rules ?? [];
      for (const { verbs } of rules) assert.deepEqual(verbs, ['get', 'list', 'watch']);
      const plurals = new Set(source.resources.map(({ kind }) => guessedPlural(kind)));
      assert.deepEqual(rules.flatMap(({ resources }) => resources).sort(), [...plurals].sort());
      assert.deepEqual(
        binding?.subjects?.map(({ name }) => name),
        [source.name],
      );
    });
  }

  it('that start anew with each namespace are seen to by one that does not, whose events say so', () => {
    const [own, ...others] = sources.filter(({ namespaces }) => namespaces.kind === 'own');
    assert.ok(own && others.length === 0);
    const all = sources.filter((source) => source !== own).map(({ name }) => name);
    assert.deepEqual(
      own.resources.map(({ kind, selector }) => [kind, selector]),
      [['Pod', `eventing.knative.dev/sourceName in (${all.sort().join(',')})`]],
    );
    assert.deepEqual([own.mode, own.overrides], ['Resource', { [restarted.extension]: restarted.value }]);
  });

  it('of whole objects carry no Secrets', () => {
    const kinds = sources.filter(({ mode }) => mode === 'Resource').flatMap(({ resources }) => resources);
    assert.deepEqual(
      kinds.filter(({ kind }) => kind === 'Secret'),
      [],
    );
  });
});

/** The cells of a function's row in docs/events.md. */
function rowOf(stem: string): readonly string[] {
  const row = textOf('docs/events.md')
    .split('\n')
    .find((line) => line.startsWith(`| \`${stem}\` |`));
  return (
    row
      ?.split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()) ?? []
  );
}

/** The labels that a cell speaks of; what other objects name by name has none, so that everything is watched. */
function selectorsIn(what: string): readonly string[] {
  if (what.includes('names')) return [''];
  const named = [...what.matchAll(/`([^`]+)`/g)].map(([, label = '']) => label);
  const owned = what.includes('made by us') ? ['knudge.dev/owner-uid'] : [];
  const profiles = what.includes('server profiles') ? ['frp.io/server-profile'] : [];
  const all = [...named, ...owned, ...profiles];
  return all.length === 0 ? [''] : all.sort();
}
