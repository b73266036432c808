import { answer } from './answer.ts';
import type { Answer } from './request.ts';

const [swagger, title, version] = ['2.0', 'Kubernetes', 'v1.35.4'];
const protobuf = 'application/com.github.proto-openapi.spec.v2';

/**
 * GET /openapi/v2: a document without schemas. kubectl and Helm load it for a kind that /openapi/v3 does not have; with it
 * they go on, and say that there is no such kind.
 */
export function answerOpenApiV2(accept = ''): Answer {
  if (!accept.includes(protobuf)) {
    return answer(200, { swagger, info: { title, version }, paths: {}, definitions: {} });
  }
  const info = `${field(1, title)}${field(2, version)}`;
  const headers = { 'content-type': `${protobuf}.v1.0+protobuf` };
  return { status: 200, headers, body: `${field(1, swagger)}${field(2, info)}` };
}

/** A text as protobuf has it; of less than 128 characters, all of ASCII. */
function field(number: number, text: string): string {
  return `${String.fromCharCode(number * 8 + 2, text.length)}${text}`;
}
