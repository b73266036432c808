import type { JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import type { Column, Kind } from '../schema/kind.ts';
import { builtinResources, definition } from './definitions.ts';

const endpoints = 'io.k8s.api.core.v1.Endpoints';
const scale = { spec: '.spec.replicas', status: '.status.replicas', selector: '.status.selector' };

/** The kinds that need no CustomResourceDefinition, as the API server describes them. */
export function builtinKinds(): readonly Kind[] {
  return builtinResources().map(([path, resource]) => kindOf(path.split('/'), resource));
}

function kindOf(path: readonly string[], resource: JsonObject): Kind {
  const [plural = '', version = '', group = ''] = path.toReversed();
  const name = String(resource['definition']);
  return {
    group: group === 'api' ? '' : group,
    version,
    storageVersion: version,
    kind: name.slice(name.lastIndexOf('.') + 1),
    plural,
    singular: String(resource['singular']),
    shortNames: textsIn(resource, 'shortNames'),
    categories: textsIn(resource, 'categories'),
    namespaced: resource['namespaced'] === true,
    // Built when it is first needed: most kinds are not used in a run.
    get schema() {
      return definition(name);
    },
    hasStatus: resource['status'] === true,
    ...(name === endpoints && {
      deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    }),
    ...(resource['createOnly'] === true && { isReview: true }),
    ...(resource['scale'] === true && { scale }),
    columns: columnsOf(resource, plural),
    custom: false,
  };
}

function textsIn(resource: JsonObject, key: string): readonly string[] {
  const list = resource[key];
  return isArray(list) ? list.map(String) : [];
}

/** The columns without the name, which comes first except for Events, where it comes last. */
function columnsOf({ columns }: JsonObject, plural: string): readonly Column[] {
  const all = (isArray(columns) ? columns.filter(isObject) : []) as unknown as readonly Omit<Column, 'jsonPath'>[];
  const keyed = all.map((column) => ({ ...column, jsonPath: column.name.toLowerCase() }));
  return plural === 'events' ? keyed : keyed.slice(1);
}
