import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { type Permission, permissionsBy } from '../../tools/bundle/rights.ts';
import { kustomized } from '../../tools/chart/kustomize.ts';
import { rendered } from '../chart/helm.ts';
import { byName } from '../chart/without-helm.ts';
import { textOf } from '../house/files.ts';

const run = promisify(execFile);
const manifests = readdirSync('bundle/manifests').map(
  (name) => parse(textOf(`bundle/manifests/${name}`)) as KubeObject,
);
const csv = parse(textOf('bundle/manifests/knudge.clusterserviceversion.yaml')) as {
  metadata: { annotations: { capabilities: string } };
  spec: { install: { spec: { clusterPermissions: readonly Permission[]; permissions: readonly Permission[] } } };
};

/** Of those that OLM takes, what Knudge has: pkg/lib/bundle/supported_resources.go of operator-registry. */
const taken = ['ClusterServiceVersion', 'CustomResourceDefinition', 'ServiceAccount'];
/** What OLM makes of a ClusterServiceVersion. */
const ofRights = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];
const levels = ['Basic Install', 'Seamless Upgrades', 'Full Lifecycle', 'Deep Insights', 'Auto Pilot'];

describe('the OLM bundle', () => {
  it('is what the kustomization says', async () => {
    await run(process.execPath, ['tools/bundle/generate.ts', '--check']);
  });

  it('has only what OLM takes', () => {
    assert.deepEqual(
      manifests.map(({ kind }) => kind).filter((kind) => !taken.includes(kind)),
      [],
    );
  });

  it('claims the level that docs/capabilities.md proves', () => {
    const [, level] = /Knudge is at \*\*level (\d)\*\*/.exec(textOf('docs/capabilities.md')) ?? [];
    assert.equal(csv.metadata.annotations.capabilities, levels[Number(level) - 1]);
  });

  it('and the chart without CRDs and rights are together what kustomize installs', async () => {
    const [all = []] = await kustomized(['deploy']);
    const rest = byName(
      await rendered({ crds: { install: false }, rbac: { create: false }, namespace: { create: true } }),
    );
    const isOurs = ({ kind }: KubeObject) => [...taken, ...ofRights].includes(kind);
    assert.deepEqual(rest, byName(all.filter((object) => !isOurs(object))));

    const { clusterPermissions, permissions } = csv.spec.install.spec;
    assert.deepEqual(clusterPermissions, permissionsBy('ClusterRoleBinding', all));
    assert.deepEqual(permissions, permissionsBy('RoleBinding', all));
    const accounts = [...clusterPermissions, ...permissions].map(({ serviceAccountName }) => serviceAccountName);
    const made = new Set([...accounts, ...namesOf('ServiceAccount', manifests)]);
    assert.deepEqual([...made].sort(), namesOf('ServiceAccount', all));
    assert.deepEqual(namesOf('CustomResourceDefinition', manifests), namesOf('CustomResourceDefinition', all));
  });
});

function namesOf(kind: string, objects: readonly KubeObject[]): readonly string[] {
  return objects
    .filter((object) => object.kind === kind)
    .map(({ metadata }) => metadata.name)
    .sort();
}
