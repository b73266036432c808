import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { objectsIn } from '../../kube/install.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders = ['packages', 'resources', 'cli', 'functions', 'tools', 'crds', 'deploy', 'eventing'];
const manifests = ['deploy/functions', 'eventing/sources', 'eventing/triggers'];

export interface ProjectCopy {
  readonly root: string;
  remove(): void;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The project once more, its manifests of functions, sources and Triggers as `edit` gives them. So the mesh is the product's own
 * to the last line, and still talks through a proxy of a test: the seam is the manifests, as in a cluster.
 */
export function copyProject(edit: (object: KubeObject) => KubeObject): ProjectCopy {
  const copy = mkdtempSync(join(tmpdir(), 'knudge-copy-'));
  for (const folder of folders) {
    cpSync(join(root, folder), join(copy, folder), {
      recursive: true,
      filter: (path) => !/\/(?:node_modules|fidelity)$/.test(path),
    });
  }
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const folder of manifests) {
    for (const name of readdirSync(join(copy, folder)).filter((one) => one !== 'kustomization.yaml')) {
      const file = join(copy, folder, name);
      // JSON is YAML too.
      writeFileSync(
        file,
        objectsIn(file)
          .map((object) => JSON.stringify(edit(object)))
          .join('\n---\n'),
      );
    }
  }
  mkdirSync(join(copy, 'run'));
  return { root: copy, remove: () => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }) };
}

/** A Knative Service with these variables besides its own; anything else as it is. */
export function withEnv(object: KubeObject, variables: Readonly<Record<string, string>>): KubeObject {
  if (!object.apiVersion.startsWith('serving.knative.dev/')) return object;
  const { spec } = object as unknown as { spec: { template: { spec: { containers: readonly Fields[] } } } };
  const containers = spec.template.spec.containers.map((container) => {
    const own = ((container['env'] ?? []) as readonly { name: string }[]).filter(({ name }) => !(name in variables));
    return { ...container, env: [...own, ...Object.entries(variables).map(([name, value]) => ({ name, value }))] };
  });
  const template = { ...spec.template, spec: { ...spec.template.spec, containers } };
  return { ...object, spec: { ...spec, template } } as KubeObject;
}

/** A source with these fields of its spec in the place of its own; anything else as it is. */
export function withSpec(object: KubeObject, kind: string, fields: Fields): KubeObject {
  if (object.kind !== kind) return object;
  const { spec } = object as unknown as { spec: Fields };
  return { ...object, spec: { ...spec, ...fields } } as KubeObject;
}
