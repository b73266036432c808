import type { Resource } from '../../controller/decide/resource.ts';
import { type JsonObject, objectAt } from '../../kube-api/json.ts';

/** What the engine writes into the status of every resource, and of one whose child is replaced. */
const written = ['conditions', 'observedGeneration', 'recentWrites'] as const;
const writtenOfTries = ['attempts', 'lastAttempt'] as const;

/**
 * The API server refuses a status with a field that its CRD does not declare, and then nothing is ever reported of that object. Throws
 * an Error that names the definition of one of these resources and what it lacks.
 */
export function insistOnStatus(
  resources: readonly Pick<Resource, 'kind' | 'replaces'>[],
  definitions: readonly JsonObject[],
): void {
  for (const definition of definitions) {
    const { spec } = definition;
    const kind = objectAt(spec, 'names')['kind'];
    const own = resources.filter((resource) => resource.kind === kind);
    if (own.length === 0) continue;
    const fields = [...written, ...(own.some(({ replaces }) => replaces) ? writtenOfTries : [])];
    const versions = objectAt(definition, 'spec')['versions'];
    for (const version of Array.isArray(versions) ? (versions as readonly JsonObject[]) : []) {
      const status = objectAt(version, 'schema', 'openAPIV3Schema', 'properties', 'status', 'properties');
      const missing = fields.filter((field) => status[field] === undefined);
      if (missing.length > 0)
        throw new Error(
          `${String(kind)} ${String(version['name'])}: the status in its CRD lacks ${missing.join(', ')}, which Knudge writes: take them from crds/messages.yaml in the repository of Knudge`,
        );
    }
  }
}
