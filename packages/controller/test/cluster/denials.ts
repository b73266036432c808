import { failure } from './build.ts';
import { type Refusal, withCauses } from './refusal.ts';

const hook = 'admission webhook "hook.example.com" denied the request: no such luck';
const terminatingCause = {
  reason: 'NamespaceTerminating',
  message: 'namespace cap is being terminated',
  field: 'metadata.namespace',
};

/** A webhook's denial has no reason. */
function denial(code: number): unknown {
  const { reason: _, ...status } = failure(code, '', hook);
  return status;
}

/** Credentials, permissions, quotas, namespaces and admission. */
export const denials: readonly Refusal[] = [
  {
    name: 'unknown credentials',
    status: 401,
    body: failure(401, 'Unauthorized', 'Unauthorized'),
    read: 'unauthorized',
    write: 'unauthorized',
  },
  {
    name: 'a write without the permission',
    status: 403,
    body: failure(
      403,
      'Forbidden',
      'configmaps is forbidden: User "nobody" cannot create resource "configmaps" in API group "" in the namespace "default"',
    ),
    write: 'not-permitted',
  },
  {
    name: 'a read without the permission',
    status: 403,
    body: failure(
      403,
      'Forbidden',
      'secrets "x" is forbidden: User "nobody" cannot get resource "secrets" in API group "" in the namespace "default"',
    ),
    read: 'not-permitted',
  },
  {
    name: 'a full quota',
    status: 403,
    body: failure(
      403,
      'Forbidden',
      'configmaps "q1" is forbidden: exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=1',
    ),
    write: 'quota-exceeded',
  },
  {
    name: 'a quota that wants limits',
    status: 403,
    body: failure(403, 'Forbidden', 'pods "p" is forbidden: failed quota: q: must specify limits.cpu for: m'),
    write: 'quota-exceeded',
  },
  {
    name: 'a namespace that is being deleted',
    status: 403,
    body: withCauses(
      failure(
        403,
        'Forbidden',
        'configmaps "x" is forbidden: unable to create new content in namespace cap because it is being terminated',
      ),
      [terminatingCause],
    ),
    write: 'namespace-terminating',
  },
  {
    name: 'a namespace that is being deleted, told in words alone',
    status: 403,
    body: failure(
      403,
      'Forbidden',
      'configmaps "x" is forbidden: unable to create new content in namespace cap because it is being terminated',
    ),
    write: 'namespace-terminating',
  },
  {
    name: 'Pod security',
    status: 403,
    body: failure(
      403,
      'Forbidden',
      'pods "p" is forbidden: violates PodSecurity "restricted:latest": privileged (container "m" must not set securityContext.privileged=true)',
    ),
    write: 'admission-denied',
  },
  {
    name: 'a ValidatingAdmissionPolicy',
    status: 422,
    body: withCauses(
      failure(
        422,
        'Invalid',
        `configmaps "v" is forbidden: ValidatingAdmissionPolicy 'deny.example.com' with binding 'deny' denied request: not with denyme`,
      ),
      [{ message: `ValidatingAdmissionPolicy 'deny.example.com' with binding 'deny' denied request: not with denyme` }],
    ),
    write: 'admission-denied',
  },
  {
    name: 'a webhook without a word',
    status: 400,
    body: {
      ...Object(denial(400)),
      message: 'admission webhook "hook.example.com" denied the request without explanation',
    },
    write: 'admission-denied',
  },
  { name: 'a webhook with 400', status: 400, body: denial(400), write: 'admission-denied' },
  { name: 'a webhook with 403', status: 403, body: denial(403), write: 'admission-denied' },
  { name: 'a webhook with 409', status: 409, body: denial(409), write: 'admission-denied' },
  { name: 'a webhook with 422', status: 422, body: denial(422), write: 'admission-denied' },
  { name: 'a webhook with 429', status: 429, body: denial(429), write: 'throttled' },
  { name: 'a webhook with 500', status: 500, body: denial(500), write: 'admission-denied' },
  {
    name: 'a webhook that is down',
    status: 500,
    body: failure(
      500,
      'InternalError',
      'Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: connect: connection refused',
    ),
    write: 'outcome-unknown',
  },
];
