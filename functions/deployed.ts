import type { Deployed, Woken } from '../packages/controller/functions/manifested.ts';
import { standardDeployed, standardWoken } from '../packages/controller/functions/standard.ts';

/** Knative Services that `npm run manifests` makes with something of their own; that of the event log is written by hand. */
export const deployed: Readonly<Record<string, Deployed>> = {
  ...standardDeployed,
  'distributed-service': {
    says: [
      'One process for all functions that reconcile a DistributedService, each at the path of its stem: one Pod wakes for whatever changes,',
      'and events of several kinds about one service share a run. docs/decisions/0043-functions-of-one-resource-share-a-service.md says why,',
      'and deploy/overlays/per-function has one for each.',
    ],
    scale:
      'Sharing is within a Pod, so a few large ones are better than many; 50 bodies of at most 2 MiB are well within the limit of memory.',
    sends:
      'Where it asks after each of several services that use what has changed: the ingress of the Broker in eventing/broker.yaml.',
  },
  'frp-gate': {
    env: [
      {
        says: 'frpc waits ten seconds for its login: this, and the start of the function, must fit.',
        name: 'HANDLER_DEADLINE_SECONDS',
        value: "'5'",
      },
      { name: 'API_TIMEOUT_SECONDS', value: "'2'" },
    ],
  },
};

/** Triggers that differ from those of other changes. */
export const woken: Readonly<Record<string, Woken>> = {
  ...standardWoken('knudge'),
  'claim-changed': {
    filters: `# That one was made concerns nobody yet.
- any:
    - exact:
        type: dev.knative.apiserver.resource.update
    - exact:
        type: dev.knative.apiserver.resource.delete
    - exact:
        type: dev.knudge.resync.requested`,
  },
  'pod-changed': {
    filters: `# Those of the sources' adapters belong to no parent: source-restarted.
- not:
    exact:
      knudgeabout: source-adapter`,
  },
};
