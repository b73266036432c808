import { selects } from '../checks/workloads.ts';
import type { ServerContext } from '../http/request.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import type { Attempt } from './attempt.ts';
import { isNamespace, nameOf, namespaceOf } from './attempt.ts';

/** The version of the kind in which a policy's constraints, or a binding's, take a write; undefined if they do not take it. */
export function matchedKind(world: ServerContext, constraints: JsonObject, attempt: Attempt): Kind | undefined {
  const { kind } = attempt.target;
  if (!isSelected(world, constraints, attempt)) return undefined;
  const versions = constraints['matchPolicy'] === 'Exact' ? [kind] : equivalents(world, kind);
  const excluded = objectsIn(constraints['excludeResourceRules']);
  if (versions.some((version) => excluded.some((rule) => takes(rule, version, attempt)))) return undefined;
  const rules = objectsIn(constraints['resourceRules']);
  if (rules.length === 0) return kind;
  return versions.find((version) => rules.some((rule) => takes(rule, version, attempt)));
}

/** All versions of a kind, that of the request first. */
function equivalents({ kinds }: ServerContext, kind: Kind): readonly Kind[] {
  const others = kinds.all().filter((other) => other.group === kind.group && other.plural === kind.plural);
  return [kind, ...others.filter(({ version }) => version !== kind.version)];
}

function takes(rule: JsonObject, kind: Kind, attempt: Attempt): boolean {
  const { resourceNames } = rule;
  return (
    has(rule['operations'], attempt.operation) &&
    has(rule['apiGroups'], kind.group) &&
    has(rule['apiVersions'], kind.version) &&
    itemsOf(rule['resources']).some((resource) => isResource(resource, attempt)) &&
    isInScope(rule['scope'], attempt) &&
    (itemsOf(resourceNames).length === 0 || itemsOf(resourceNames).includes(nameOf(attempt)))
  );
}

function has(words: Json | undefined, word: string): boolean {
  const all = itemsOf(words);
  return all.includes('*') || all.includes(word);
}

/** `pods`, `pods/status`, `pods/*`, `*` and `*` + `/*`: a name alone means no subresource. */
function isResource(resource: string, { target }: Attempt): boolean {
  const [plural = '', subresource = ''] = resource.split('/');
  return [
    plural === '*' || plural === target.kind.plural,
    subresource === '*' || subresource === target.subresource,
  ].every(Boolean);
}

function isInScope(scope: Json | undefined, { target }: Attempt): boolean {
  const isInside = target.kind.namespaced && target.namespace !== '';
  return scope === 'Namespaced' ? isInside : scope !== 'Cluster' || !isInside;
}

function isSelected({ store }: ServerContext, constraints: JsonObject, attempt: Attempt): boolean {
  const { object, oldObject, target } = attempt;
  const ofObject = objectAt(constraints, 'objectSelector');
  const isOurs = [object, oldObject].some((one) => one !== undefined && selects(ofObject, labelsOf(one)));
  const namespace = namespaceOf(attempt);
  if (!isOurs || namespace === '') return isOurs;
  const around = isNamespace(target)
    ? (object ?? oldObject)
    : store.get({ resource: 'namespaces', namespace: '', name: namespace });
  return selects(objectAt(constraints, 'namespaceSelector'), labelsOf(around));
}

function labelsOf(object: JsonObject | undefined): JsonObject {
  return objectAt(object, 'metadata', 'labels');
}

function itemsOf(list: Json | undefined): readonly string[] {
  return isArray(list) ? list.map(String) : [];
}

export function objectsIn(list: Json | undefined): readonly JsonObject[] {
  return isArray(list) ? list.filter(isObject) : [];
}
