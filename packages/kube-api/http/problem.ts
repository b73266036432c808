import type { JsonObject } from '../json.ts';
import type { Kind } from '../schema/kind.ts';

/** One fault of a field; the reasons are those of metav1.CauseType. */
export interface Cause {
  readonly reason: string;
  /** Without the field: `Required value`, `Invalid value: "x": must be …`. */
  readonly message: string;
  readonly field: string;
}

/** An error as the API server reports it: a metav1.Status. */
export class ApiProblem extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: JsonObject | undefined;
  /** What is to be said besides, in headers. */
  readonly warnings: readonly string[];

  /** If the real server has no reason it leaves it out (empty here); it shows details that are given but empty. */
  constructor(
    code: number,
    reason: string,
    { message, details, warnings = [] }: { message: string; details?: JsonObject; warnings?: readonly string[] },
  ) {
    super(message);
    this.name = 'ApiProblem';
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.warnings = warnings;
  }

  /** The body of the answer. */
  status(): JsonObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason !== '' && { reason: this.reason }),
      ...(this.details !== undefined && { details: this.details }),
      code: this.code,
    };
  }
}

type Named = Pick<Kind, 'group' | 'plural' | 'kind'>;

/** `pods "web" not found`. */
export function notFound(kind: Named, name: string): ApiProblem {
  return new ApiProblem(404, 'NotFound', {
    message: `${resourceName(kind)} "${name}" not found`,
    details: detailsOf(kind, name),
  });
}

export function alreadyExists(kind: Named, name: string): ApiProblem {
  return new ApiProblem(409, 'AlreadyExists', {
    message: `${resourceName(kind)} "${name}" already exists`,
    details: detailsOf(kind, name),
  });
}

export function conflict(kind: Named, name: string, why: string): ApiProblem {
  return new ApiProblem(409, 'Conflict', {
    message: `Operation cannot be fulfilled on ${resourceName(kind)} "${name}": ${why}`,
    details: detailsOf(kind, name),
  });
}

export function forbidden(kind: Named, name: string, why: string): ApiProblem {
  return new ApiProblem(403, 'Forbidden', {
    message: `${resourceName(kind)} "${name}" is forbidden: ${why}`,
    details: detailsOf(kind, name),
  });
}

/** `Pod "web" is invalid: spec.containers: Required value`; details name the kind, not the plural, as the server does. */
export function invalid({ group, kind }: Named, name: string, causes: readonly Cause[]): ApiProblem {
  const qualified = group === '' ? kind : `${kind}.${group}`;
  // The sentence has a text of two checks once, the list has it twice.
  const said = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  return new ApiProblem(422, 'Invalid', {
    message: `${qualified} "${name}" is invalid: ${said.length === 1 ? said[0] : `[${said.join(', ')}]`}`,
    details: {
      ...(name !== '' && { name }),
      ...(group !== '' && { group }),
      ...(kind !== '' && { kind }),
      causes: causes.map(({ reason, message, field }) => ({ reason, message, field })),
    },
  });
}

export function badRequest(message: string): ApiProblem {
  return new ApiProblem(400, 'BadRequest', { message });
}

function resourceName({ group, plural }: Named): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function detailsOf({ group, plural }: Named, name: string): JsonObject {
  return { name, ...(group !== '' && { group }), kind: plural };
}
