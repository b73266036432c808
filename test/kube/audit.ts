import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** One request in the log of the API server. */
interface Audited {
  readonly stage: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly namespace?: string;
  };
  readonly requestReceivedTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What somebody asked of the API server, since a time. */
export function audited(user: string, since: string): readonly Audited[] {
  const path = process.env['KNUDGE_TEST_AUDIT_LOG'];
  assert.ok(
    path,
    'KNUDGE_TEST_AUDIT_LOG is not set: this test reads the log of the API server, so use `npm run test:kube`',
  );
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes(user));
  const calls = lines.map((line) => JSON.parse(line) as Audited);
  return calls.filter(
    ({ user: who, stage, objectRef, requestReceivedTimestamp }) =>
      who.username === user &&
      stage === 'ResponseComplete' &&
      objectRef !== undefined &&
      requestReceivedTimestamp >= since,
  );
}

/** Refused by the authorizer, not by a quota or because a namespace ends. */
export function isForbidden({ annotations = {} }: Audited): boolean {
  return annotations['authorization.k8s.io/decision'] === 'forbid';
}

/** Each right that these requests took, as `grantedIn` says it. */
export function used(calls: readonly Audited[]): readonly string[] {
  const rights = calls.map(({ verb, objectRef }) => {
    const { apiGroup = '', resource = '', subresource } = objectRef ?? {};
    return `${verb} ${apiGroup}/${resource}${subresource === undefined ? '' : `/${subresource}`}`;
  });
  return [...new Set(rights)].sort();
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Each right of these rules that a request can take: `get /pods`, `patch apps/deployments/scale`. */
export function grantedIn(rules: readonly Rule[]): readonly string[] {
  const rights = rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`))),
  );
  return rights.filter((right) => !byAdmissionOnly.has(right)).sort();
}

/** Asked of the authorizer beside a request, such as by the admission plugin OwnerReferencesPermissionEnforcement: no request of ours. */
const byAdmissionOnly = new Set([
  'update frp.io/distributedservices/finalizers',
  'update myorg.dev/messages/finalizers',
  // An apply that makes an object is a patch in the log; the authorizer is asked for both.
  'create coordination.k8s.io/leases',
]);
