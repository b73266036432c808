import type { Request, RequestHandler } from 'express';
import { asKnudgeError, KnudgeError } from '../../controller/domain/errors.ts';
import { readBody } from '../../controller/server/body.ts';
import { send } from '../../controller/server/respond.ts';

/** What is asked of the process that serves the console. */
export interface OwnAsked {
  /** What stands in the path for its names, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The JSON of a POST; undefined of a GET. */
  readonly body: unknown;
}

/** An answer of the process that serves the console: of what needs more than the event log, such as the manifests or the cluster. */
export interface OwnAnswer {
  readonly method: 'GET' | 'POST';
  /** Below `/console/api`, as express has it. */
  readonly path: string;
  /** Gives a value for JSON. Fails with a KnudgeError. */
  readonly answer: (asked: OwnAsked) => Promise<unknown>;
}

/** Bytes of the longest body. */
const longestBody = 4096;

/** Handles the requests of one answer. */
export function handlerOf({ method, answer }: OwnAnswer): RequestHandler {
  return async (request, response) => {
    const body = method === 'POST' ? jsonIn(await readBody(request, longestBody)) : undefined;
    const value = await answer({ params: paramsOf(request), body }).catch((error: unknown) => {
      throw permitted(error);
    });
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    send(response, { status: 200, headers, body: JSON.stringify(value) }, false);
  };
}

/** The JSON of a body. Throws `invalid-json`. */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new KnudgeError('invalid-json', 'the body must be JSON');
  }
}

function paramsOf({ params }: Request): OwnAsked['params'] {
  return params as Record<string, string>;
}

/** What a person may not do in the cluster is no fault of Knudge: they get to read what they lack. */
function permitted(thrown: unknown): KnudgeError {
  const error = asKnudgeError(thrown);
  if (error.code !== 'not-permitted') return error;
  return new KnudgeError('sender-not-allowed', error.message, { cause: error });
}
