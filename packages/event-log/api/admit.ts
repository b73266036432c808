import { refuseForeign } from '../../controller/domain/refuse-foreign.ts';
import { type LogAnswer, type LogRequest, refuse } from './request.ts';

/** Whether a bearer may do something at a path; without an API server to ask it is absent, and only this machine is admitted. */
export type Check = (
  token: string,
  wish: { readonly verb: 'get' | 'post'; readonly path: string },
) => Promise<'allowed' | 'forbidden' | 'unauthenticated'>;

/** The refusal, or undefined if the request may go on. `path` is the list that it is about, for the rules of a ClusterRole. */
export async function admit(
  request: LogRequest,
  path: string,
  check: Check | undefined,
): Promise<LogAnswer | undefined> {
  const verb = request.method === 'POST' ? 'post' : 'get';
  if (check === undefined) return admitLocal(request, verb);
  const [, token] = /^Bearer +([^\s]+)$/i.exec(request.authorization) ?? [];
  if (token === undefined)
    return refuse(401, 'send the token of a user or of a ServiceAccount: Authorization: Bearer …');
  const review = await check(token, { verb, path });
  if (review === 'allowed') return undefined;
  if (review === 'unauthenticated') return refuse(401, 'the API server does not know this token');
  return refuse(
    403,
    `this needs the verb ${verb} on the nonResourceURL ${path}: docs/event-log.md has the ClusterRole`,
  );
}

/** A page in a browser of this machine also counts as local; a browser sends a POST with JSON only after a CORS preflight. */
function admitLocal(request: LogRequest, verb: 'get' | 'post'): LogAnswer | undefined {
  if (!request.isLocal) return refuse(403, 'outside a cluster only requests from the same machine are admitted');
  const foreign = refuseForeign(request);
  if (foreign !== undefined) return refuse(403, foreign.message);
  const isJson = verb === 'get' || /^application\/json\b/.test(request.contentType);
  return isJson ? undefined : refuse(403, 'send Content-Type: application/json');
}
