import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Resource } from '../../packages/controller/decide/resource.ts';
import type { JsonObject } from '../../packages/kube-api/json.ts';
import { childrenOf, customKindsOf, parentsOf } from './kinds.ts';
import { listKeysOf } from './list-keys.ts';
import { kebabOf } from './names.ts';
import { insistOnStatus } from './status-fields.ts';
import { nounsFor, typesOf } from './types-of.ts';

/** The folder of a custom resource. A Claim is one of DistributedService's. */
function homeOf(resource: string): string {
  return resource === 'claim' ? 'resources/distributed-service/claims' : `resources/${resource}`;
}

/** All that follows from crds/ and the resources, by its path. `root` is the folder that has crds/. */
export async function typeFiles(root: string, all: readonly Resource[]): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(join(root, 'crds'))).filter((file) => file !== 'kustomization.yaml').sort();
  const texts = await Promise.all(files.map((file) => readFile(join(root, 'crds', file), 'utf8')));
  const definitions = texts.map((text) => parse(text) as JsonObject);
  insistOnStatus(all, definitions);
  const types = texts.map(async (text, index): Promise<[string, string]> => {
    const { spec } = parse(text) as { readonly spec: { readonly names: { readonly kind: string } } };
    const file = `${homeOf(kebabOf(spec.names.kind))}/types.ts`;
    return [file, await typesOf(`crds/${files[index] ?? ''}`, text, nounsFor(file))];
  });
  return new Map([
    ...(await Promise.all(types)),
    ['packages/controller/domain/custom-kinds.ts', customKindsOf(texts)],
    ['resources/managed/kinds.ts', parentsOf(all)],
    ['packages/controller/decide/list-keys.ts', listKeysOf(childrenOf(all), definitions)],
  ]);
}
