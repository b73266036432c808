import { type ChangeStem, functions } from '../../functions/table.ts';
import { restarted } from '../../packages/controller/domain/change.ts';
import { groupOf } from '../../packages/controller/domain/kube-object.ts';
import type { SourceSpec } from '../../packages/mesh/mesh-spec.ts';

/** The entries for the kind of a function, of all sources but that of their own adapters. */
export function watched(sources: readonly SourceSpec[], stem: ChangeStem) {
  const entries = sources
    .filter(({ overrides }) => !(restarted.extension in overrides))
    .flatMap(({ resources, mode }) => resources.map((resource) => ({ ...resource, mode })));
  return entries.filter(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}` === functions[stem].kind);
}
