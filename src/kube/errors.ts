import { type ErrorCode, KnudgeError } from '../domain/errors.ts';
import { type Call, isRead, nameOf } from './call.ts';
import { type ApiStatus, toApiStatus } from './status-body.ts';

/** An answer of the API server that is no success. */
interface Refused {
  readonly status: number;
  /** The JSON of the answer, if it was any. */
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;
}

/** The longest part of the API server's own words that an error repeats. */
const longestMessage = 400;

/** Words of admission plugins (apiserver `admission/plugin`: webhook, policy), which may come as 400, 403, 422 and others. */
const admissionWords = /admission webhook ".*?" denied|ValidatingAdmissionPolicy|violates PodSecurity|denied the request/;
/** Words of `ResourceQuota` (`plugin/pkg/admission/resourcequota`). */
const quotaWords = /exceeded quota:|failed quota:|status unknown for quota:/;
/** Words of the authorizers (apiserver `endpoints/handlers/responsewriters/errors.go`). */
const rbacWords = /User ".*" cannot [a-z]+ resource|is attempting to grant RBAC permissions/;
const terminatingWords = /because it is being terminated/;

/** What the refusal of a call means, as one of Knudge's codes. Nothing of the request is repeated. */
export function refusal(call: Call, { status, body, retryAfterSeconds }: Refused): KnudgeError {
  const said = toApiStatus(body);
  const code = codeOf(call, status, said);
  const seconds = retryAfterSeconds ?? said?.retryAfterSeconds;
  const details = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  return new KnudgeError(code, `${nameOf(call)}: ${wordsOf(call, status, said)}`, details);
}

function codeOf(call: Call, status: number, said: ApiStatus | undefined): ErrorCode {
  if (status === 401) return 'unauthorized';
  if (status === 429) return 'throttled';
  if (status >= 500) return isRead(call) ? 'unavailable' : 'outcome-unknown';
  if (said === undefined) return 'unexpected-answer';
  if (status === 410) return 'expired';
  if (status === 404) return 'gone';
  if (isRead(call)) return status === 403 ? 'not-permitted' : 'unexpected-answer';
  return codeOfWrite(status, said);
}

function codeOfWrite(status: number, said: ApiStatus): ErrorCode {
  if (status === 409) return said.reason === 'AlreadyExists' ? 'already-exists' : 'conflict';
  if (status === 422 && said.causes.some(({ field }) => field === 'metadata.uid')) return 'conflict';
  if (admissionWords.test(said.message)) return 'admission-denied';
  if (status === 403) return codeOfForbidden(said);
  if (status === 400 || status === 413 || status === 422) return 'invalid-object';
  return 'unexpected-answer';
}

function codeOfForbidden({ message, causes }: ApiStatus): ErrorCode {
  if (causes.some(({ reason }) => reason === 'NamespaceTerminating') || terminatingWords.test(message)) {
    return 'namespace-terminating';
  }
  if (quotaWords.test(message)) return 'quota-exceeded';
  return rbacWords.test(message) ? 'not-permitted' : 'admission-denied';
}

/** The API server's sentence. Of a Secret only which fields are meant: its words may quote the data. */
function wordsOf({ resource }: Call, status: number, said: ApiStatus | undefined): string {
  if (said === undefined) return `the API server answered ${status} without a Status`;
  if (/^secrets\b/.test(resource)) {
    const fields = said.causes.map(({ field }) => field.slice(0, 80)).filter((field) => field !== '');
    return [`the API server answered ${status}`, said.reason, ...fields].filter((part) => part !== '').join(', ');
  }
  return said.message.slice(0, longestMessage) || `the API server answered ${status} ${said.reason}`;
}
