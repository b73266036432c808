import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import { describe, type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Reader } from '../../../packages/controller/domain/ports.ts';
import { type Fields, same } from './fields.ts';

const withoutGeneration = new Set(['ConfigMap', 'Secret', 'Service', 'Event', 'Namespace']);

/** Whether the API server counts generations of this kind. */
export function hasGeneration(kind: string): boolean {
  return !withoutGeneration.has(kind);
}

/** Kinds whose status only the status subresource writes. */
export function hasStatus(kind: string): boolean {
  return !['ConfigMap', 'Secret', 'Event', 'EndpointSlice'].includes(kind);
}

const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** The few rules of validation that tests rely on; throws `invalid-object`. */
export function validate(object: KubeObject, before: Fields | undefined, after: Fields): void {
  const { name, labels = {} } = object.metadata;
  if (!dnsSubdomain.test(name) || name.length > 253) refuse(object, 'metadata.name must be a DNS subdomain');
  const wrong = Object.entries(labels).find(([, value]) => !labelValue.test(value) || value.length > 63);
  if (wrong !== undefined) refuse(object, `metadata.labels.${wrong[0]} must be a label value`);
  if (before !== undefined) validateUpdate(object, before, after);
}

function validateUpdate(object: KubeObject, before: Fields, after: Fields): void {
  const frozen = before['immutable'] === true;
  if (frozen && !same([before['data'], before['immutable']], [after['data'], after['immutable']])) {
    refuse(object, 'data is immutable when `immutable` is set');
  }
  const [oldSpec, spec] = [fieldsOf(before['spec']), fieldsOf(after['spec'])];
  if (object.kind === 'Deployment' && !same(oldSpec['selector'], spec['selector'])) {
    refuse(object, 'spec.selector is immutable');
  }
  if (object.kind === 'Pod' && !same(oldSpec, spec)) refuse(object, 'spec of a Pod may not change');
}

function refuse(object: KubeObject, why: string): never {
  throw new KnudgeError('invalid-object', `${describe(refOf(object))}: ${why}`);
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** By which fields objects can be selected, as `crds/` says it. */
export const selectable: Readonly<Record<string, readonly string[]>> = {
  DistributedService: ['spec.serverProfile', 'spec.security.mtls.secretName'],
};

type ListQuery = Parameters<Reader['list']>[0];

/** A test of objects by both selectors of a query; throws `unexpected-answer` for a field that the kind cannot be selected by. */
export function selection({ kind, labelSelector, fieldSelector = '' }: ListQuery): (object: KubeObject) => boolean {
  const terms = fieldSelector.split(',').filter((term) => term !== '');
  const tests = terms.map((term) => fieldTest(term, kind));
  return (object) => selects(labelSelector, object.metadata.labels ?? {}) && tests.every((fits) => fits(object));
}

/** What is not there is empty. */
function fieldTest(term: string, kind: string): (object: KubeObject) => boolean {
  const [, field = '', sign, wanted] = /^(.*?)(!=|==?)(.*)$/.exec(term) ?? [];
  if (!['metadata.name', 'metadata.namespace', ...(selectable[kind] ?? [])].includes(field)) {
    throw new KnudgeError('unexpected-answer', `list of ${kind}: field label not supported: ${field}`);
  }
  return (object) => {
    const value = field.split('.').reduce<unknown>((found, key) => fieldsOf(found)[key], object) ?? '';
    return (String(value) === wanted) === (sign !== '!=');
  };
}

/** Whether labels fit a label selector in its text form; every form of the API server. */
function selects(selector: string, labels: Readonly<Record<string, string>>): boolean {
  const requirements = selector.match(/[^,(]+(\([^)]*\))?/g) ?? [];
  return requirements.map((text) => text.trim()).every((requirement) => fits(requirement, labels));
}

function fits(requirement: string, labels: Readonly<Record<string, string>>): boolean {
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(requirement);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const isIn = list.split(',').some((value) => value.trim() === labels[key]);
    return operator === 'in' ? isIn : !isIn;
  }
  const equality = /^([^!=\s]+)\s*(!=|==?)\s*(\S*)$/.exec(requirement);
  if (equality !== null) {
    const [, key = '', operator, value] = equality;
    return (labels[key] === value) === (operator !== '!=');
  }
  return requirement.startsWith('!') ? labels[requirement.slice(1)] === undefined : labels[requirement] !== undefined;
}
