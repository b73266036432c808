import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { parentKinds } from '../packages/mesh/parent-kinds.ts';
import { root } from './about.ts';

/** The kinds of the project in a help text, such as `DistributedService and Message`; `custom resource` where it has none that can be read. */
export function parentsBy(word: 'and' | 'or'): string {
  const kinds = kindsOfProject();
  const last = kinds.at(-1);
  if (last === undefined) return 'custom resource';
  const others = kinds.slice(0, -1);
  return others.length === 0 ? last : `${others.join(', ')} ${word} ${last}`;
}

let known: readonly string[] | undefined;

/** A help text is shown also where the project is broken: the command itself says what is wrong. */
function kindsOfProject(): readonly string[] {
  try {
    known ??= parentKinds(readManifests({ root }).objects);
  } catch {
    known = [];
  }
  return known;
}
