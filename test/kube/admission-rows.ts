import type { Impersonated } from './api.ts';

/** One request to an object of a namespace, as a dry run, and what the policies of deploy/admission are to make of it. */
export interface AdmissionRow {
  readonly who: string;
  /** Where it is absent an administrator, who may do everything. */
  readonly as?: Impersonated | 'the node of msg-hello';
  readonly does: 'patch' | 'update' | 'delete' | 'create';
  readonly to: readonly [apiVersion: string, kind: string, name: string];
  readonly subresource?: string;
  /** What is merged into it, or is created. */
  readonly body?: object;
  readonly refused: boolean;
}

/** Bound to cluster-admin by `useAdmission`: what is asked here is the policies, not RBAC. */
export const administrators = 'tests:administrators';
export const administrator: Impersonated = { user: 'alice', groups: [administrators, 'system:authenticated'] };
const { groups } = administrator;
const account = (namespace: string, name: string, ...more: readonly string[]): Impersonated => ({
  user: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated', ...more],
});

const deployment = ['apps/v1', 'Deployment', 'frp-web'] as const;
const messagePod = ['v1', 'Pod', 'msg-hello'] as const;
const children = [
  ['v1', 'ConfigMap', 'frp-web-endpoints'],
  ['v1', 'Secret', 'frp-web-identity'],
  ['v1', 'Service', 'frp-web-balanced'],
  deployment,
  messagePod,
] as const;
const changed = { metadata: { annotations: { a: 'b' } } };
/** The account that reconciles DistributedServices. */
export const knudge = account('knudge', 'distributed-service', administrators);
/** One of those that an upgrade leaves. */
export const older = account('knudge', 'pod-changed', administrators);

/** On children that the test has made, and what else `putObjects` puts beside them. */
export const admissionRows: readonly AdmissionRow[] = [
  ...children.flatMap((to): readonly AdmissionRow[] => [
    { who: 'an administrator', does: 'patch', to, body: changed, refused: true },
    { who: 'an administrator', does: 'delete', to, refused: true },
    { who: "a tenant's account", as: account('shop', 'x', administrators), does: 'delete', to, refused: true },
    {
      who: 'the garbage collector',
      as: account('kube-system', 'generic-garbage-collector'),
      does: 'delete',
      to,
      refused: false,
    },
    {
      who: 'the namespace controller',
      as: account('kube-system', 'namespace-controller'),
      does: 'delete',
      to,
      refused: false,
    },
    { who: 'Knudge', as: knudge, does: 'delete', to, refused: false },
    { who: 'an older version of Knudge', as: older, does: 'delete', to, refused: false },
    // Of a Message's Pod it changes nothing: that is replaced.
    ...(to === messagePod
      ? []
      : [{ who: 'Knudge', as: knudge, does: 'patch', to, body: changed, refused: false } as const]),
  ]),
  {
    who: 'the Deployment controller',
    as: account('kube-system', 'deployment-controller'),
    does: 'update',
    to: deployment,
    body: changed,
    refused: false,
  },
  {
    who: 'the node of the Pod',
    as: 'the node of msg-hello',
    does: 'delete',
    to: messagePod,
    refused: false,
  },
  {
    who: 'the scheduler, which makes room',
    as: { user: 'system:kube-scheduler', groups: ['system:authenticated'] },
    does: 'delete',
    to: messagePod,
    refused: false,
  },
  {
    who: 'a controller manager whose controllers share its name',
    as: { user: 'system:kube-controller-manager', groups },
    does: 'delete',
    to: deployment,
    refused: false,
  },
  {
    who: 'the API server itself',
    as: { user: 'system:apiserver', groups },
    does: 'delete',
    to: deployment,
    refused: false,
  },
  {
    who: 'somebody who scales',
    does: 'patch',
    to: deployment,
    subresource: 'scale',
    body: { spec: { replicas: 2 } },
    refused: false,
  },
  {
    who: 'a status',
    does: 'patch',
    to: deployment,
    subresource: 'status',
    body: { status: { replicas: 1 } },
    refused: false,
  },
  {
    who: 'an eviction',
    does: 'create',
    to: messagePod,
    subresource: 'eviction',
    refused: false,
    body: {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'msg-hello' },
      deleteOptions: { dryRun: ['All'] },
    },
  },
  { who: 'an administrator', does: 'patch', to: ['v1', 'ConfigMap', 'half-a-child'], body: changed, refused: false },
  {
    who: 'an administrator',
    does: 'patch',
    to: ['v1', 'ConfigMap', 'of-another-manager'],
    body: changed,
    refused: false,
  },
  { who: 'an administrator', does: 'patch', to: ['v1', 'ConfigMap', 'without-owner'], body: changed, refused: false },
  { who: 'an administrator', does: 'delete', to: ['v1', 'ConfigMap', 'without-owner'], refused: false },
  {
    who: 'another account of the namespace knudge',
    as: account('knudge', 'x', administrators),
    does: 'delete',
    to: deployment,
    refused: true,
  },
  {
    who: 'somebody whom nothing is refused',
    as: { user: 'root', groups: ['system:masters', 'system:authenticated'] },
    does: 'delete',
    to: deployment,
    refused: false,
  },
  {
    who: 'an administrator',
    does: 'patch',
    to: ['v1', 'ConfigMap', 'going'],
    body: { metadata: { finalizers: null } },
    refused: false,
  },
  { who: 'an administrator', does: 'patch', to: ['v1', 'Pod', 'of-nobody'], body: changed, refused: false },
  { who: 'an administrator', does: 'patch', to: ['v1', 'Pod', 'of-a-set'], body: changed, refused: false },
  { who: 'an administrator', does: 'delete', to: ['v1', 'Pod', 'of-a-set'], refused: false },
];
