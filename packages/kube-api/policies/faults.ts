import { compileError } from '../crd/rule-problems.ts';
import type { Cause } from '../http/problem.ts';
import type { JsonObject } from '../json.ts';
import { isObject, objectAt } from '../json.ts';
import { checkOf } from '../schema/cel-expression.ts';
import { invalidValue, required } from '../schema/texts.ts';
import type { Expression } from './compile.ts';
import { policyOf } from './compile.ts';
import { objectsIn } from './match.ts';

/** The faults of a ValidatingAdmissionPolicy: what is missing, and the expressions that cannot run. */
export function policyCauses(next: JsonObject): readonly Cause[] {
  const spec = objectAt(next, 'spec');
  const { conditions, variables, validations } = policyOf(next);
  const some = 'validations or auditAnnotations must contain at least one item';
  const isEmpty = validations.length === 0 && objectsIn(spec['auditAnnotations']).length === 0;
  return [
    ...constraintCauses(spec),
    ...conditions.flatMap((one, index) => faultOf(one, `spec.matchConditions[${index}].expression`, 'bool')),
    ...variables.flatMap(([, one], index) => faultOf(one, `spec.variables[${index}].expression`)),
    ...(isEmpty ? [required('spec.validations', some), required('spec.auditAnnotations', some)] : []),
    ...validations.flatMap(({ expression, message }, index) => {
      const at = `spec.validations[${index}]`;
      const ofMessage = message === undefined ? [] : faultOf(message, `${at}.messageExpression`, 'string');
      return [...faultOf(expression, `${at}.expression`, 'bool'), ...ofMessage];
    }),
  ];
}

function constraintCauses({ matchConstraints }: JsonObject): readonly Cause[] {
  if (!isObject(matchConstraints)) return [required('spec.matchConstraints')];
  const rules = objectsIn(matchConstraints['resourceRules']);
  return rules.length === 0 ? [required('spec.matchConstraints.resourceRules')] : [];
}

function faultOf({ text, parsed }: Expression, field: string, wanted?: 'bool' | 'string'): readonly Cause[] {
  if (text.trim() === '') return [required(field, 'expression is not specified')];
  const { valid, type = '', error } = checkOf(parsed);
  if (!valid) return [invalidValue(field, text, `compilation failed: ${compileError(error, text)}`)];
  if (wanted === undefined || type === wanted || type === 'dyn') return [];
  return [invalidValue(field, text, `must evaluate to ${wanted} but got ${type}`)];
}

/** The faults of a ValidatingAdmissionPolicyBinding. */
export function bindingCauses(next: JsonObject): readonly Cause[] {
  const { policyName = '', validationActions } = objectAt(next, 'spec');
  const actions = Array.isArray(validationActions) ? validationActions : [];
  return [
    ...(policyName === '' ? [required('spec.policyName')] : []),
    ...(actions.length === 0 ? [required('spec.validationActions', 'at least one validation action is required')] : []),
  ];
}
