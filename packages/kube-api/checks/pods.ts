import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isEqual, objectAt } from '../json.ts';
import { duplicate, forbiddenField, invalidValue } from '../schema/texts.ts';
import { labelKey } from './names.ts';

const mayChange =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

const mostSeconds = 2 ** 31 - 1;

/** The faults in the gates of a new Pod, or in the changes to the spec of an old one. */
export function podCauses(next: JsonObject, current: JsonObject | undefined): readonly Cause[] {
  const spec = objectAt(next, 'spec');
  const own = gateCauses(spec);
  return current === undefined ? own : [...own, ...podChanges(spec, objectAt(current, 'spec'))];
}

function gateCauses(spec: JsonObject): readonly Cause[] {
  const names = namesOf(spec['schedulingGates']);
  const why = 'cannot be set until all schedulingGates have been cleared';
  return [
    ...(names.length > 0 && spec['nodeName'] !== undefined ? [forbiddenField('spec.nodeName', why)] : []),
    ...names.flatMap((name, index) => {
      const field = `spec.schedulingGates[${index}]`;
      return [
        ...labelKey(name).map((said) => invalidValue(field, name, said)),
        ...(names.indexOf(name) < index ? [duplicate(field, name)] : []),
      ];
    }),
  ];
}

/** The server adds the difference as its own structs print it; that part is left out here. */
function podChanges(spec: JsonObject, before: JsonObject): readonly Cause[] {
  if (listOf(spec['containers']).length !== listOf(before['containers']).length) {
    return [forbiddenField('spec.containers', 'pod updates may not add or remove containers')];
  }
  const deadline = deadlineCauses(spec['activeDeadlineSeconds'], before['activeDeadlineSeconds']);
  if (deadline.length > 0) return deadline;
  const gates = newGates(namesOf(spec['schedulingGates']), namesOf(before['schedulingGates']));
  const own = listOf(spec['tolerations']);
  const kept = listOf(before['tolerations']).every((old) => own.some((toleration) => isEqual(toleration, old)));
  const isSame = kept && isEqual(fixedPart(spec, before), fixedPart(before, before));
  return isSame ? gates : [...gates, forbiddenField('spec', mayChange)];
}

/** The deadline may be set, and get shorter. */
function deadlineCauses(next: Json | undefined, before: Json | undefined): readonly Cause[] {
  const field = 'spec.activeDeadlineSeconds';
  if (typeof next !== 'number') {
    const why = 'must not update from a positive integer to nil value';
    return before === undefined ? [] : [invalidValue(field, null, why)];
  }
  if (next < 0) return [invalidValue(field, next, `must be between 0 and ${mostSeconds}, inclusive`)];
  const grows = typeof before === 'number' && before < next;
  return grows ? [invalidValue(field, next, 'must be less than or equal to previous value')] : [];
}

/** Gates may only be removed (KEP-3521). */
function newGates(next: readonly string[], before: readonly string[]): readonly Cause[] {
  return next.flatMap((name, index) => {
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return before.includes(name) ? [] : [forbiddenField(`spec.schedulingGates[${index}].name`, why)];
  });
}

/** A Pod with gates may get narrower rules about where to run (KEP-3838). */
function fixedPart(
  { activeDeadlineSeconds: _, tolerations: __, schedulingGates: ___, nodeSelector, ...spec }: JsonObject,
  before: JsonObject,
): JsonObject {
  const containers = listOf(spec['containers']).map((container) => ({ ...objectAt(container), image: '' }));
  const isHeld = listOf(before['schedulingGates']).length > 0;
  const old = objectAt(before, 'nodeSelector');
  const own = objectAt(nodeSelector);
  const chosen = isHeld ? Object.fromEntries(Object.keys(old).map((key) => [key, own[key] ?? null])) : own;
  return { ...spec, containers, nodeSelector: chosen };
}

function namesOf(gates: Json | undefined): readonly string[] {
  return listOf(gates).map((gate) => String(objectAt(gate)['name'] ?? ''));
}

function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}
