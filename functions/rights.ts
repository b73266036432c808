import type { Rights } from '../packages/controller/functions/manifested.ts';

/**
 * What accounts may do besides what follows by itself: for a resource its own objects, its children, what events in Reference mode name, and
 * Events; for the resync the lists of all. Verbs that follow are added to a rule that names the same kind, so a rule may be there for its
 * place and its comment alone.
 */
export const rights: Readonly<Record<string, Rights>> = {
  'distributed-service': {
    says: [
      'Of all functions that reconcile a DistributedService: what one of them needs the others need too. pod-changed is among them, and a',
      "Message's Pod concerns it as well. docs/decisions/0040-functions-of-one-resource-share-an-account.md says why.",
    ],
    rules: [
      {
        says: [
          'What makes a DistributedService what it should be: its children, what they are made from, its status.',
          'List: who uses a server profile or names a Secret that changed, and how many there are.',
        ],
        group: 'frp.io',
        resources: ['distributedservices'],
        verbs: ['list', 'patch'],
      },
      {
        says: [
          "Claims: which service has what at the FRP servers, in Knudge's namespace, as the policy knudge-itself has it.",
        ],
        group: 'frp.io',
        resources: ['claims'],
        verbs: ['get', 'list', 'create', 'patch', 'delete'],
      },
      { group: 'frp.io', resources: ['distributedservices/status'], verbs: [] },
      {
        says: [
          "For OwnerReferencesPermissionEnforcement, which OpenShift turns on: our children block their owner's deletion.",
        ],
        group: 'frp.io',
        resources: ['distributedservices/finalizers'],
        verbs: [],
      },
      { group: '', resources: ['configmaps', 'services'], verbs: ['list'] },
      {
        says: ['Its own Secrets, the certificate that it names and the authority of its server profile: never listed.'],
        group: '',
        resources: ['secrets'],
        verbs: [],
      },
      {
        says: ['Create and delete are for the Pod of a Message alone.'],
        group: '',
        resources: ['pods'],
        verbs: ['list', 'patch'],
      },
      { group: 'discovery.k8s.io', resources: ['endpointslices'], verbs: ['get', 'list'] },
      { group: 'apps', resources: ['deployments'], verbs: [] },
      {
        says: ['The workload that backends.workloadRef names follows backends.replicas.'],
        group: 'apps',
        resources: ['statefulsets', 'replicasets'],
        verbs: ['get'],
      },
      {
        group: 'apps',
        resources: ['deployments/scale', 'statefulsets/scale', 'replicasets/scale'],
        verbs: ['patch'],
      },
    ],
  },
  'frp-gate': {
    rules: [
      {
        says: ['The service that a client says it is, by its name, for each question. Its status has what proves it.'],
        group: 'frp.io',
        resources: ['distributedservices'],
        verbs: ['get'],
      },
      {
        says: ['The Claim that says which service has the port or the host that the client wants, by its name too.'],
        group: 'frp.io',
        resources: ['claims'],
        verbs: ['get'],
      },
    ],
  },
};
