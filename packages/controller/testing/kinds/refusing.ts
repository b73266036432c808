import type { Action } from '../fault.ts';
import { type CallSite, every, type FaultKind, isChecked, isCreate, isWrite, seen } from './kind.ts';
import { deniedByWebhook, refused, refusedBecause } from './words.ts';

interface Row {
  readonly id: string;
  readonly says: string;
  readonly appliesTo: (call: CallSite) => boolean;
  readonly action: (call: CallSite) => Action;
  /** Whether there is a row for it that stays, too. */
  readonly stays?: true;
}

const policy = `ValidatingAdmissionPolicy 'guard.example.com' with binding 'guard' denied request: not today`;
const ofPolicy = (status: number, reason: string) =>
  refusedBecause(refused(status, reason, `{resource} "{name}" is forbidden: ${policy}`), {
    reason,
    message: policy,
    field: '',
  });

/** Nothing is written, and trying again at once would not help: Knudge reports it in a condition. */
const rows: readonly Row[] = [
  {
    id: 'W8-invalid',
    says: 'the API server finds a field invalid',
    appliesTo: isChecked,
    action: refusedBecause(
      refused(422, 'Invalid', '{kind} "{name}" is invalid: metadata.labels: Invalid value: "?": no label'),
      { reason: 'FieldValueInvalid', message: 'Invalid value: "?": no label', field: 'metadata.labels' },
    ),
    stays: true,
  },
  {
    id: 'W8-wrong-type',
    says: 'the API server finds a field of an apply of the wrong type, which it says with 500',
    appliesTo: ({ verb }) => verb === 'apply',
    action: refused(500, '', 'failed to create typed patch object (/{name}; /v1, Kind={kind}): .data: expected map'),
  },
  {
    id: 'W8-too-large',
    says: 'the API server finds the request too large',
    appliesTo: isChecked,
    action: refused(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
  },
  {
    id: 'W9-quota',
    says: 'the quota of the namespace is used up',
    appliesTo: isCreate,
    action: refused(
      403,
      'Forbidden',
      '{resource} "{name}" is forbidden: exceeded quota: few, requested: count/{resource}=1, used: count/{resource}=1, limited: count/{resource}=1',
    ),
    stays: true,
  },
  {
    id: 'W9-quota-wants-limits',
    says: 'a quota counts what the Pod does not say',
    appliesTo: ({ verb, resource }) => verb === 'create' && resource === 'pods',
    action: refused(
      403,
      'Forbidden',
      'pods "{name}" is forbidden: failed quota: few: must specify limits.cpu for: main',
    ),
  },
  ...[400, 403, 409, 422, 500].map((status) => ({
    id: `W10-webhook-${status}`,
    says: `a webhook denies the request with ${status}`,
    appliesTo: isWrite,
    action: deniedByWebhook(status),
    ...(status === 403 && { stays: true as const }),
  })),
  {
    id: 'W10-policy-422',
    says: 'a ValidatingAdmissionPolicy denies the request, which it does with 422 by default',
    appliesTo: isWrite,
    action: ofPolicy(422, 'Invalid'),
    stays: true,
  },
  {
    id: 'W10-policy-403',
    says: 'a ValidatingAdmissionPolicy denies the request with 403',
    appliesTo: isWrite,
    action: ofPolicy(403, 'Forbidden'),
  },
  {
    id: 'W10-pod-security',
    says: 'the Pod Security standard of the namespace denies the Pod',
    appliesTo: ({ verb, resource }) => verb === 'create' && resource === 'pods',
    action: refused(
      403,
      'Forbidden',
      'pods "{name}" is forbidden: violates PodSecurity "restricted:latest": seccompProfile (pod or container "main" must set securityContext.seccompProfile.type)',
    ),
  },
  {
    id: 'W11-namespace-terminating',
    says: 'the namespace is being deleted',
    appliesTo: isCreate,
    action: refusedBecause(
      refused(
        403,
        'Forbidden',
        '{resource} "{name}" is forbidden: unable to create new content in namespace {namespace} because it is being terminated',
      ),
      {
        reason: 'NamespaceTerminating',
        message: 'namespace {namespace} is being terminated',
        field: 'metadata.namespace',
      },
    ),
    stays: true,
  },
];

const once: readonly FaultKind[] = rows.map(({ stays: _, ...row }) => ({
  ...row,
  when: 'before',
  sees: seen({ read: 'nothing', write: 'refused' }),
}));

const notPermitted: Omit<FaultKind, 'id'> = {
  says: 'the role of the function does not allow it',
  when: 'before',
  appliesTo: every,
  action: refused(
    403,
    'Forbidden',
    '{resource} "{name}" is forbidden: User "system:serviceaccount:knudge:f" cannot touch resource "{resource}" in API group "" in the namespace "{namespace}"',
  ),
  sees: seen({ read: 'read-failed', write: 'put-off' }),
};

/** The API server, or somebody whom it asks, does not want it. */
export const refusing: readonly FaultKind[] = [
  ...once,
  ...once
    .filter(({ id }) => rows.some((row) => row.id === id && row.stays === true))
    .map((kind) => ({ ...kind, id: `${kind.id}-on`, says: `${kind.says}, until it is lifted`, times: 'on' as const })),
  { ...notPermitted, id: 'W10-not-permitted' },
  { ...notPermitted, id: 'W10-not-permitted-on', times: 'on' },
];
