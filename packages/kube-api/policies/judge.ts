import { ApiProblem, forbidden } from '../http/problem.ts';
import type { ServerContext } from '../http/request.ts';
import type { JsonObject } from '../json.ts';
import { isArray, objectAt } from '../json.ts';
import type { Attempt } from './attempt.ts';
import { nameOf } from './attempt.ts';
import { policyOf } from './compile.ts';
import type { Denial } from './evaluate.ts';
import { denialsOf } from './evaluate.ts';
import { matchedKind } from './match.ts';

const group = 'admissionregistration.k8s.io';
const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 };

/**
 * Lets the ValidatingAdmissionPolicies judge a write: throws what the first denial says, and gives the warnings. A policy
 * judges no policy, and none judges what goes through `/scale`.
 */
export function judge(world: ServerContext, attempt: Attempt): readonly string[] {
  const { target } = attempt;
  const bindings = world.store.list(`validatingadmissionpolicybindings.${group}`, '') ?? [];
  if (bindings.length === 0 || target.kind.group === group || target.subresource === 'scale') return [];
  const judged = bindings.flatMap((binding) => {
    const actions = objectAt(binding, 'spec')['validationActions'];
    const doing = isArray(actions) ? actions : [];
    return byBinding(world, binding, attempt).map((denial) => ({ ...denial, doing }));
  });
  const warnings = judged.flatMap(({ doing, warning }) => (doing.includes('Warn') ? [warning] : []));
  const denied = judged.find(({ doing }) => doing.includes('Deny'));
  if (denied !== undefined) throw refusal(attempt, denied, warnings);
  return warnings;
}

interface Judged extends Denial {
  readonly warning: string;
}

function byBinding(world: ServerContext, binding: JsonObject, attempt: Attempt): readonly Judged[] {
  const { policyName = '', matchResources } = objectAt(binding, 'spec');
  const resource = `validatingadmissionpolicies.${group}`;
  const stored = world.store.get({ resource, namespace: '', name: String(policyName) });
  if (stored === undefined) return [];
  const policy = policyOf(stored);
  const matched = matchedKind(world, objectAt(policy.spec, 'matchConstraints'), attempt);
  if (matched === undefined || matchedKind(world, objectAt(matchResources), attempt) === undefined) return [];
  const named = `ValidatingAdmissionPolicy '${policy.name}' with binding '${String(objectAt(binding, 'metadata')['name'])}'`;
  return denialsOf(world, policy, { attempt, matched }).map(({ message, reason }) => ({
    reason,
    message: `${named} denied request: ${message}`,
    warning: `Validation failed for ${named}: ${message}`,
  }));
}

function refusal(attempt: Attempt, { message, reason }: Denial, warnings: readonly string[]): ApiProblem {
  const problem = forbidden(attempt.target.kind, nameOf(attempt), message);
  const details = { ...problem.details, causes: [{ message }] };
  return new ApiProblem(codes[reason] ?? 422, reason, { message: problem.message, details, warnings });
}
