import type { Resource } from '../../controller/decide/resource.ts';
import { type JsonObject, objectAt } from '../../kube-api/json.ts';

/** What the engine writes into the status of every resource; of a defined one whose child is replaced `attempts` and `lastAttempt` too. */
const written = ['conditions', 'observedGeneration', 'recentWrites'] as const;

/**
 * The API server refuses a status with a field that its CRD does not declare, and then nothing is ever reported of that object. Throws
 * an Error that names the definition of one of these resources and what it lacks.
 */
export function insistOnStatus(resources: readonly Pick<Resource, 'kind'>[], definitions: readonly JsonObject[]): void {
  for (const definition of definitions) {
    const { spec } = definition;
    const kind = objectAt(spec, 'names')['kind'];
    if (!resources.some((resource) => resource.kind === kind)) continue;
    const versions = objectAt(definition, 'spec')['versions'];
    for (const version of Array.isArray(versions) ? (versions as readonly JsonObject[]) : []) {
      const status = objectAt(version, 'schema', 'openAPIV3Schema', 'properties', 'status', 'properties');
      const missing = written.filter((field) => status[field] === undefined);
      if (missing.length > 0)
        throw new Error(
          `${String(kind)} ${String(version['name'])}: the status in its CRD lacks ${missing.join(', ')}, which Knudge writes: take them from crds/messages.yaml in the repository of Knudge`,
        );
    }
  }
}
