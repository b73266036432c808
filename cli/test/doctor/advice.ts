import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parse } from 'yaml';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { foldersIn } from '../../../test/house/commands.ts';
import { root } from '../../../test/house/files.ts';
import { objectsIn } from '../../../test/kube/install.ts';

/** What is not a file of ours, but whatever somebody installed from. */
const again = 'apply your kustomization again: kubectl apply -k .';

/**
 * Fails where an advice applies anything with an image: those who follow docs/install.md have named another, and the name
 * that stands in the manifests may be anybody's.
 */
export function harmless(todo: string): void {
  for (const object of appliedBy(todo.replace(again, ''))) {
    const { kind, metadata } = object;
    assert.doesNotMatch(JSON.stringify(object), /"image":/, `${kind} ${metadata.name} has an image: ${todo}`);
  }
}

/** The objects that the commands of an advice apply: from files of the project, or written out in the command itself. */
export function appliedBy(todo: string): readonly KubeObject[] {
  const written = [...todo.matchAll(/echo '(?<json>\{.*?\})' \| kubectl apply -f -/g)].flatMap(({ groups }) => {
    const object = JSON.parse(groups?.['json'] ?? '') as KubeObject & { readonly items?: readonly KubeObject[] };
    return object.items ?? [object];
  });
  const files = foldersIn(todo).flatMap(({ option, target }) => {
    assert.ok(existsSync(join(root, target)), `${target} is not there: ${todo}`);
    return option === '-k' ? kustomized(target) : [target];
  });
  return [...written, ...files.flatMap((path) => objectsIn(join(root, path)))];
}

function kustomized(folder: string): readonly string[] {
  const list = join(folder, 'kustomization.yaml');
  assert.ok(existsSync(join(root, list)), `${list} is not there`);
  const { resources = [] } = parse(readFileSync(join(root, list), 'utf8')) as {
    readonly resources?: readonly string[];
  };
  return resources
    .map((path) => posix.join(folder, path))
    .flatMap((path) => (path.endsWith('.yaml') ? [path] : kustomized(path)));
}
