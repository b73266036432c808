import { type ChangeStem, functions } from '../../functions/table.ts';
import { groupOf } from '../../src/domain/kube-object.ts';
import type { SourceSpec } from '../../src/local/mesh-spec.ts';

/** The entries of all sources for the kind of a function. */
export function watched(sources: readonly SourceSpec[], stem: ChangeStem) {
  const entries = sources.flatMap(({ resources, mode }) => resources.map((resource) => ({ ...resource, mode })));
  return entries.filter(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}` === functions[stem].kind);
}
