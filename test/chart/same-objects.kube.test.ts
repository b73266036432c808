import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { kustomized } from '../../tools/chart/kustomize.ts';
import { pairs, variants } from '../../tools/chart/variants.ts';
import { kustomized as kustomizedAnywhere, withKustomization } from '../kube/kustomized.ts';
import { rendered } from './helm.ts';
import { byName } from './without-helm.ts';

const run = promisify(execFile);

describe('the chart and kustomize give the same objects', () => {
  let made: readonly (readonly KubeObject[])[];
  before(async () => {
    made = await kustomized(variants.map(({ folder }) => folder));
  });

  variants.forEach(({ folder, values }, index) => {
    it(`as ${folder}`, async () => {
      const wanted = made[index] ?? [];
      assert.ok(wanted.length > 70, `${folder} has ${wanted.length} objects`);
      assert.deepEqual(
        byName(await rendered({ ...values, namespace: { create: true }, ...frps(wanted) })),
        byName(own(wanted)),
      );
    });
  });
});

/** Overlays with components on top, in the order that docs/install.md gives them. */
const combinations: readonly (readonly [overlay: string, ...components: readonly string[]])[] = [
  ...pairs.map(({ overlay, component }) => [overlay, component] as const),
  ['secure', 'postgres'],
  ['secure', 'deliveries', 'kafka'],
  ['secure', 'source', 'deliveries'],
  ['prometheus', 'postgres', 'kafka', 'single-namespace'],
  ['secure', 'postgres', 'kafka', 'single-namespace'],
  ['prometheus', 'source', 'single-namespace'],
  ['secure', 'source', 'deliveries', 'postgres', 'kafka', 'prometheus', 'single-namespace'],
];

describe('the chart and kustomize give the same objects where several ways to install it are combined,', () => {
  for (const [overlay, ...components] of combinations) {
    it(`as ${overlay} with ${components.join(', ')}`, async () => {
      const kustomization = {
        resources: [`deploy/overlays/${overlay}`],
        components: components.map((name) => `deploy/components/${name}`),
      };
      const made = await withKustomization(kustomization, kustomizedAnywhere);
      const values = { ...valuesOf([overlay, ...components]), namespace: { create: true } };
      assert.deepEqual(byName(await rendered(values)), byName(made));
    });
  }
});

/** No two of them share a value. */
function valuesOf(names: readonly string[]): object {
  const found = variants.filter(({ folder }) => names.includes(basename(folder)));
  assert.equal(found.length, names.length, names.join());
  return Object.assign({}, ...found.map(({ values }) => values)) as object;
}

/** People make the Secret with the key of an FRP server. */
function own(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(({ kind }) => kind !== 'Secret');
}

/** What they made, as the values of the chart name it. */
function frps(objects: readonly KubeObject[]) {
  const tlsSecretName = objects.find(({ kind }) => kind === 'Secret')?.metadata.name;
  return tlsSecretName === undefined ? {} : { frps: { enabled: true, ca: 'ca.crt\n', tlsSecretName } };
}

describe('the chart', () => {
  it('is what the kustomizations say', async () => {
    await run(process.execPath, ['tools/chart/generate.ts', '--check']);
  });

  it('leaves the namespace to Helm', async () => {
    const kinds = (await rendered({})).map(({ kind }) => kind);
    assert.ok(!kinds.includes('Namespace'));
  });

  it('speaks of the namespace of the release alone', async () => {
    const all = Object.assign({}, ...variants.map(({ values }) => values)) as Record<string, unknown>;
    for (const values of [all, { ...all, watch: {}, broker: {}, eventLog: {} }]) {
      const texts = (await rendered({ ...values, frps: { enabled: true, ca: 'ca' } }, 'elsewhere')).flatMap(
        namespacesIn,
      );
      // The script of the first resync takes it from its environment.
      const named = texts.filter((text) => text !== `\${NAMESPACE}`);
      assert.deepEqual(new Set(named), new Set(['elsewhere']));
    }
  });
});

/** Where a namespace stands in an object: of its own, in a reference, in a variable, in an address, a path or a user. */
function namespacesIn(object: KubeObject): readonly string[] {
  const found = JSON.stringify(object).matchAll(
    /"namespace":"([^"]+)"|_NAMESPACE","value":"([^"]+)"|svc\.cluster\.local\/([^/]+)\/|eventing\.knative\.dev\/broker\/([^/]+)\/|namespace=\\"([^"\\]+)\\"|\.([^./]+)(?=\.svc\b)|namespaces\/([^/]+)\/|serviceaccount:([^:]+):|"path\\": \\"\/([^/]+)\/frps/g,
  );
  const texts = [...found].flatMap((match) => match.slice(1).filter((text) => text !== undefined));
  return texts.filter((text) => !['knative-eventing', 'default'].includes(text));
}
