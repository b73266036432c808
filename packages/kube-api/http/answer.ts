import { stringify } from 'yaml';
import type { JsonObject } from '../json.ts';
import type { Wanted } from './accept.ts';
import { ApiProblem } from './problem.ts';
import type { Answer, AnswerHeaders } from './request.ts';

/** An answer in JSON or, if the client wants it, in YAML. */
export function answer(
  status: number,
  body: JsonObject,
  { wanted, warnings = [] }: { wanted?: Wanted; warnings?: readonly string[] } = {},
): Answer {
  const isYaml = wanted?.yaml === true;
  return {
    status,
    headers: { 'content-type': contentType(wanted), ...warningHeader(warnings) },
    body: isYaml ? stringify(body, { version: '1.1', lineWidth: 0 }) : body,
  };
}

function contentType(wanted: Wanted | undefined): string {
  if (wanted?.yaml === true) return 'application/yaml';
  const isDiscovery = wanted?.as === 'APIGroupDiscoveryList';
  return isDiscovery ? 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' : 'application/json';
}

/** Each warning as RFC 7234 has it, in a header line of its own. */
export function warningHeader(warnings: readonly string[]): AnswerHeaders {
  const lines = [...new Set(warnings)].map((warning) => `299 - "${warning.replace(/["\\]/g, '\\$&')}"`);
  return lines.length === 0 ? {} : { warning: lines };
}

/** Anything that was thrown, as a Status. */
export function answerProblem(thrown: unknown, warnings: readonly string[] = []): Answer {
  const problem = thrown instanceof ApiProblem ? thrown : internal(thrown);
  return answer(problem.code, problem.status(), { warnings: [...warnings, ...problem.warnings] });
}

function internal(thrown: unknown): ApiProblem {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new ApiProblem(500, 'InternalError', {
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
}

/** The answer to a deletion that does not return the object. */
export function successOf(details: JsonObject): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
