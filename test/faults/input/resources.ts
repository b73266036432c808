import { cases } from '../../crds/cases.ts';
import { statusCases } from '../../crds/status-cases.ts';
import { bases, crds, statuses } from './bases.ts';
import { malformedFields } from './malform.ts';
import { malformedMetadata } from './malformed-metadata.ts';
import type { Base, Fields, MalformedResource } from './malformed-resource.ts';

/** Everything that the API server is to refuse or to leave away, made from the CRDs: the same on every run. */
export function malformedResources(): {
  /** To be created, and to be written over a good object. */
  readonly objects: readonly MalformedResource[];
  /** To be written as the status of a good object. */
  readonly statuses: readonly MalformedResource[];
} {
  return {
    objects: unique([...malformedFields('spec'), ...brokenRules(), ...malformedMetadata()]),
    statuses: unique([...malformedFields('status'), ...brokenStatuses()]),
  };
}

/** What the rules of the CRDs refuse, from the cases that are written by hand: each in every served version. */
function brokenRules(): readonly MalformedResource[] {
  return cases
    .filter(({ expected }) => expected !== 'accepted')
    .flatMap(({ name, object, expected }) =>
      versionsOf(object).map((base) => ({
        name: `${base.object.apiVersion}: ${name}`,
        base: base.name,
        object: { ...object, apiVersion: base.object.apiVersion },
        expected: { is: 'refused', naming: [expected] } as const,
        field: `rule: ${expected}`,
      })),
    );
}

function brokenStatuses(): readonly MalformedResource[] {
  return statusCases
    .filter(({ expected }) => expected !== 'accepted')
    .flatMap(({ name, of, status, expected }) =>
      versionsOf({ kind: of }).map((base) => ({
        name: `${base.object.apiVersion} ${of}: ${name}`,
        base: base.name,
        object: { ...base.object, status: { ...statuses[base.kind], ...status } },
        expected: { is: 'refused', naming: [expected] } as const,
        field: `status rule: ${expected}`,
      })),
    );
}

/** A good object of each served version of a kind. */
function versionsOf({ kind }: Fields): readonly Base[] {
  return [
    ...new Map(bases.filter((base) => base.kind === kind).map((base) => [base.object.apiVersion, base])).values(),
  ];
}

/** Two ways to the same bad object are one. */
function unique(rows: readonly MalformedResource[]): readonly MalformedResource[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row.object), row])).values()];
}

/** The messages of every rule of the CRDs: each must be heard at least once. */
export function ruleMessages(): readonly string[] {
  return [
    ...new Set(Object.values(crds).flatMap((crd) => crd.spec.versions.flatMap(({ schema }) => messagesIn(schema)))),
  ];
}

function messagesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { 'x-kubernetes-validations': rules } = schema as {
    'x-kubernetes-validations'?: readonly { message: string }[];
  };
  const own = Array.isArray(rules) ? rules.map(({ message }) => message) : [];
  return [...own, ...Object.values(schema).flatMap(messagesIn)];
}
