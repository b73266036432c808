import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { filesOf, textOf } from './files.ts';
import { manifest } from './manifest.ts';

/** All that somebody may apply, or have applied by Helm or OLM. */
const files = ['deploy', 'eventing', 'charts', 'bundle', 'examples'].flatMap((folder) => filesOf(folder, '.yaml'));
const owners = ['distributed-service', 'message'] as const;

interface Installed {
  readonly spec: {
    readonly install: {
      readonly spec: {
        readonly clusterPermissions: readonly {
          readonly serviceAccountName: string;
          readonly rules: readonly { readonly resources?: readonly string[] }[];
        }[];
      };
    };
  };
}

const isStatus = (resource: string): boolean => /^(distributedservices|messages)\/(status|\*)$|^\*/.test(resource);

describe('the status of a resource, which the gate believes, is written by Knudge alone', () => {
  it('no role is added to those that people have, such as edit and admin', () => {
    assert.ok(files.length > 50);
    assert.deepEqual(
      files.filter((path) => /aggregationRule|aggregate-to-/.test(textOf(path))),
      [],
    );
  });

  it('the roles of two accounts of functions give it, and no other one', () => {
    const wanted = owners.flatMap((name) => [`charts/knudge/templates/${name}.yaml`, `deploy/accounts/${name}.yaml`]);
    const giving = files.filter((path) =>
      /^\s*(?:- |resources: ?\[).*\b(?:distributedservices|messages)\/status\b/m.test(textOf(path)),
    );
    assert.deepEqual(giving.toSorted(), [...wanted, 'bundle/manifests/knudge.clusterserviceversion.yaml'].sort());
  });

  it('no role gives all resources of a group', () => {
    const all = files.filter((path) => /^\s*(?:- |resources: ?\[).*['"]\*['"]/m.test(textOf(path)));
    assert.deepEqual(
      all.filter((path) => /kind: (?:Cluster)?Role\b/.test(textOf(path))),
      [],
    );
  });

  for (const name of owners) {
    it(`that of ${name} is bound to its account, and to nobody else`, () => {
      const documents = manifest(`deploy/accounts/${name}.yaml`);
      const [role] = documents.filter(({ rules = [] }) => rules.some(({ resources }) => resources.some(isStatus)));
      const bindings = documents.filter(({ roleRef }) => roleRef?.name === role?.metadata.name);
      assert.deepEqual(
        bindings.flatMap(({ subjects = [] }) => subjects.map((subject) => subject)),
        [{ kind: 'ServiceAccount', name, namespace: 'knudge' }],
      );
    });
  }

  it('OLM gives it to these two accounts', () => {
    const [version] = parseAllDocuments(textOf('bundle/manifests/knudge.clusterserviceversion.yaml'));
    const { clusterPermissions } = ((version ?? assert.fail()).toJS() as Installed).spec.install.spec;
    const given = clusterPermissions.filter(({ rules }) =>
      rules.some(({ resources = [] }) => resources.some(isStatus)),
    );
    assert.deepEqual(given.map(({ serviceAccountName }) => serviceAccountName).sort(), [...owners]);
  });
});
