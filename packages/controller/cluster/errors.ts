import { type ErrorCode, KnudgeError } from '../domain/errors.ts';
import { type Call, isRead, nameOf, patches } from './call.ts';
import { type ApiStatus, toApiStatus } from './status-body.ts';

/** An answer of the API server that is not a success. */
interface Refused {
  readonly status: number;
  /** The JSON of the answer, if it was JSON. */
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;
}

/** The longest part of the API server's own words that an error repeats. */
const longestMessage = 400;

/** A webhook chooses the status of its denial, 409 and 500 too; nothing was written with any of them. */
const webhookWords = /^admission webhook "[^"]*" denied the request/;
/** A ValidatingAdmissionPolicy denies with 422 unless it says otherwise. */
const policyWords = /is forbidden: ValidatingAdmissionPolicy '/;
/** Messages of `ResourceQuota` (`plugin/pkg/admission/resourcequota`). */
const quotaWords = /exceeded quota:|failed quota:|status unknown for quota:/;
/** Messages of the authorizers (apiserver `endpoints/handlers/responsewriters/errors.go`). */
const rbacWords = /User ".*" cannot [a-z]+ resource|is attempting to grant RBAC permissions/;
/** The namespace is new and its ServiceAccount is not made yet (`plugin/pkg/admission/serviceaccount`). */
const accountWords = /error looking up service account /;
const terminatingWords = /because it is being terminated/;
/** An apply that does not fit the schema comes as 500 (apimachinery `managedfields/internal/structuredmerge.go`). */
const typedWords = /^failed to create typed patch object/;
/** So does every apply over an object that does not fit it (`managedfields/internal/fieldmanager.go`, `structuredmerge.go`). */
const brokenWords = /^failed to create (manager for existing fields|typed live object)/;

/** The code of Knudge's for a refused call. The error repeats nothing of the request. */
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
  if (status === 410) return 'expired';
  return isRead(call) ? codeOfRead(call, status) : codeOfWrite(call, status, said);
}

/** A kind that is not served has no objects, but a list of it must not look empty. */
function codeOfRead({ verb }: Call, status: number): ErrorCode {
  if (status >= 500) return 'unavailable';
  if (status === 404) return verb === 'list' ? 'kind-not-served' : 'gone';
  return status === 403 ? 'not-permitted' : 'unexpected-answer';
}

function codeOfWrite({ contentType }: Call, status: number, said: ApiStatus | undefined): ErrorCode {
  const refused = said && codeOfWords(said);
  if (refused !== undefined) return refused;
  if (status >= 500) return 'outcome-unknown';
  if (status === 404) return 'gone';
  if (said === undefined) return 'unexpected-answer';
  if (status === 403) return codeOfForbidden(said);
  if (status === 409) return said.reason === 'AlreadyExists' ? 'already-exists' : 'conflict';
  // A failed `test` of a JSON patch names no cause: the object is not the one that was read.
  if (status === 422 && contentType === patches.json && said.causes.length === 0) return 'conflict';
  return [400, 413, 422].includes(status) ? 'invalid-object' : 'unexpected-answer';
}

/** The code that only the message or the causes show, under any status. */
function codeOfWords({ message, causes }: ApiStatus): ErrorCode | undefined {
  if (webhookWords.test(message) || policyWords.test(message)) return 'admission-denied';
  if (typedWords.test(message)) return 'invalid-object';
  if (brokenWords.test(message)) return 'stored-broken';
  return causes.some(({ field }) => field === 'metadata.uid') ? 'conflict' : undefined;
}

function codeOfForbidden({ message, causes }: ApiStatus): ErrorCode {
  if (causes.some(({ reason }) => reason === 'NamespaceTerminating') || terminatingWords.test(message)) {
    return 'namespace-terminating';
  }
  if (quotaWords.test(message)) return 'quota-exceeded';
  if (accountWords.test(message)) return 'unavailable';
  return rbacWords.test(message) ? 'not-permitted' : 'admission-denied';
}

/** The API server's sentence. For a Secret only the names of the fields: the message may quote the data. */
function wordsOf({ resource, verb }: Call, status: number, said: ApiStatus | undefined): string {
  if (status === 404 && verb === 'list') return `the API server does not serve ${resource}: are the CRDs installed?`;
  if (said === undefined) return `the API server answered ${status} without a Status`;
  if (/^secrets\b/.test(resource)) {
    const fields = said.causes.map(({ field }) => field.slice(0, 80)).filter((field) => field !== '');
    return [`the API server answered ${status}`, said.reason, ...fields].filter((part) => part !== '').join(', ');
  }
  return said.message.slice(0, longestMessage) || `the API server answered ${status} ${said.reason}`;
}
