import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isEqual, isObject, objectAt } from '../json.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../schema/texts.ts';

interface Around {
  readonly object: JsonObject;
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Checks a selector of Pods, and that it selects the template beside it. */
export function selectorCauses(selector: Json | undefined, field: string, { object: spec }: Around): readonly Cause[] {
  if (!isObject(selector)) return [required(field), mismatch(spec)];
  if (Object.keys(selector).length === 0) {
    return [invalidValue(field, {}, 'empty selector is invalid for deployment')];
  }
  const wrong = expressionsOf(selector).flatMap(({ operator = '' }, index) => {
    const at = `${field}.matchExpressions[${index}].operator`;
    return operators.includes(String(operator)) ? [] : [invalidValue(at, operator, 'not a valid selector operator')];
  });
  if (wrong.length > 0) return [...wrong, invalidValue(field, selector, 'invalid label selector')];
  return selects(selector, objectAt(spec, 'template', 'metadata', 'labels')) ? [] : [mismatch(spec)];
}

/** The Pods of a Deployment or ReplicaSet must run without an end. */
export function templateCauses(template: Json | undefined, field: string): readonly Cause[] {
  const { restartPolicy = '', activeDeadlineSeconds } = objectAt(template, 'spec');
  const why = 'activeDeadlineSeconds in ReplicaSet is not Supported';
  return [
    ...(restartPolicy === 'Always' ? [] : [notSupported(`${field}.spec.restartPolicy`, restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined ? [] : [forbiddenField(`${field}.spec.activeDeadlineSeconds`, why)]),
  ];
}

/** A rollout must be able to change at least one Pod at a time. */
export function strategyCauses(strategy: Json | undefined, field: string): readonly Cause[] {
  const { type = '', rollingUpdate } = objectAt(strategy);
  const known = ['Recreate', 'RollingUpdate'];
  if (!known.includes(String(type))) return [notSupported(field, { Type: type, RollingUpdate: null }, known)];
  if (type === 'Recreate') {
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return rollingUpdate === undefined ? [] : [forbiddenField(`${field}.rollingUpdate`, why)];
  }
  const { maxSurge = 0, maxUnavailable = 0 } = objectAt(rollingUpdate);
  const none = (share: unknown) => /^0+%?$/.test(String(share));
  const at = `${field}.rollingUpdate.maxUnavailable`;
  return [
    ...shareCauses(maxUnavailable, at),
    ...shareCauses(maxSurge, `${field}.rollingUpdate.maxSurge`),
    ...(none(maxSurge) && none(maxUnavailable)
      ? [invalidValue(at, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...(/^\d+%$/.test(String(maxUnavailable)) && Number.parseInt(String(maxUnavailable), 10) > 100
      ? [invalidValue(at, maxUnavailable, 'must not be greater than 100%')]
      : []),
  ];
}

const percentWords =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

function shareCauses(share: Json, field: string): readonly Cause[] {
  if (typeof share === 'number')
    return share < 0 ? [invalidValue(field, share, 'must be greater than or equal to 0')] : [];
  return /^\d+%$/.test(String(share)) ? [] : [invalidValue(field, share, percentWords)];
}

/** The progress deadline must be longer than the time for Pods to be ready. */
export function progressCauses(seconds: Json | undefined, field: string, { object }: Around): readonly Cause[] {
  const { minReadySeconds = 0 } = object;
  if (typeof seconds !== 'number' || seconds > Number(minReadySeconds)) return [];
  return [invalidValue(field, seconds, 'must be greater than minReadySeconds')];
}

/** The selector of a Job was generated, unless the Job has a manual one, and its Pods must end. */
export function jobCauses(next: JsonObject): readonly Cause[] {
  const spec = objectAt(next, 'spec');
  const { uid = '' } = objectAt(next, 'metadata');
  const selector = objectAt(spec, 'selector');
  const generated = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
  const own = spec['manualSelector'] === true || isEqual(selector, generated);
  const { restartPolicy } = objectAt(spec, 'template', 'spec');
  const ends = restartPolicy === 'Never' || restartPolicy === 'OnFailure';
  return [
    ...(own ? [] : [invalidValue('spec.selector', selector, '`selector` not auto-generated')]),
    ...(selects(selector, objectAt(spec, 'template', 'metadata', 'labels')) ? [] : [mismatch(spec)]),
    ...(ends ? [] : [required('spec.template.spec.restartPolicy', 'valid values: "OnFailure", "Never"')]),
  ];
}

function expressionsOf({ matchExpressions }: JsonObject): readonly JsonObject[] {
  return isArray(matchExpressions) ? matchExpressions.filter(isObject) : [];
}

function mismatch(spec: JsonObject): Cause {
  const { labels } = objectAt(spec, 'template', 'metadata');
  return invalidValue('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`');
}

/** Whether a label selector (of metav1) selects these labels. */
export function selects(selector: JsonObject, labels: JsonObject): boolean {
  return (
    Object.entries(objectAt(selector, 'matchLabels')).every(([key, value]) => labels[key] === value) &&
    expressionsOf(selector).every(({ key, operator, values }) => {
      const value = labels[String(key)];
      const wanted = operator === 'In' || operator === 'Exists';
      const among = isArray(values) && (operator === 'In' || operator === 'NotIn') ? values : [value ?? null];
      return (value !== undefined && among.includes(value)) === wanted;
    })
  );
}
