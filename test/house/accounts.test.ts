import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { serviceNames, serviceOf } from '../../functions/table.ts';
import { accountFile, accountOf, accounts } from '../build/accounts.ts';
import { changeStems, stems } from '../build/stems.ts';
import { resources } from '../faults/oracles/managed.ts';
import { filesOf, textOf } from './files.ts';
import { manifest } from './manifest.ts';

describe('each function may do what it must and no more', () => {
  const ofResources = resources.map(({ kind }) => kind.replace(/(?<=.)(?=[A-Z])/g, '-').toLowerCase());

  it('deploy/accounts/ has one account for each resource', () => {
    const made = filesOf('deploy/accounts', '.yaml').map((path) => basename(path, '.yaml'));
    assert.deepEqual(
      made.filter((name) => name !== 'kustomization'),
      [...ofResources].sort(),
    );
  });

  it('docs/permissions.md says which functions run as each account', () => {
    const rows = [...textOf('docs/permissions.md').matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(
      ([, account, cell = '']) => [account, stems.filter((stem) => cell.includes(`\`${stem}\``))],
    );
    assert.deepEqual(rows, [...Map.groupBy(stems, (stem) => accountOf(serviceOf(stem)))]);
  });

  for (const service of serviceNames) {
    const isOfResource = changeStems.some((stem) => serviceOf(stem) === service);
    it(`${service} runs as ${isOfResource ? 'the account of a resource' : 'itself'}`, () => {
      const account = accountOf(service);
      assert.ok(isOfResource ? ofResources.includes(account) : account === service, account);
    });
  }

  for (const account of accounts.keys()) {
    const documents = manifest(accountFile(account));

    it(`${account} is made beside its rights`, () => {
      const made = documents.filter(({ kind }) => kind === 'ServiceAccount');
      assert.deepEqual(
        made.map(({ metadata }) => metadata.name),
        [account],
      );
    });

    it(`${account} has rights, each of them bound to it`, () => {
      const roles = documents.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role');
      assert.ok(roles.length > 0);
      const bound = documents
        .filter(({ subjects }) => subjects?.some(({ name }) => name === account))
        .map(({ roleRef }) => roleRef?.name);
      assert.deepEqual(bound.sort(), roles.map(({ metadata }) => metadata.name).sort());
    });

    it(`${account} has no right by wildcard, and lists no Secrets`, () => {
      const rules = documents.flatMap(({ rules = [] }) => rules);
      assert.deepEqual(
        rules.filter(({ resources: what, verbs }) => [...what, ...verbs].includes('*')),
        [],
      );
      const secrets = rules.filter(({ resources: what }) => what.includes('secrets')).flatMap(({ verbs }) => verbs);
      assert.deepEqual(
        secrets.filter((verb) => verb === 'list' || verb === 'watch' || verb === 'deletecollection'),
        [],
      );
    });
  }
});
