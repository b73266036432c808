/** A rule of a role. */
export interface Rule {
  /** Lines of a comment. */
  readonly says?: readonly string[];
  readonly group: string;
  /** Plurals, with their subresources. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface Variable {
  readonly says?: string;
  readonly name: string;
  readonly value: string;
}

/** What the manifest of a Knative Service says besides what all of them say. */
export interface Deployed {
  readonly says?: readonly string[];
  /** About how it scales. */
  readonly scale?: string;
  /** It sends to the Broker by itself: what for. */
  readonly sends?: string;
  readonly env?: readonly Variable[];
}

/** What a Trigger says besides what all of them say. */
export interface Woken {
  /** YAML of filters: besides the one for the kind of its function, where it has one. */
  readonly filters?: string;
  /** How it is tried, and why. */
  readonly tries?: {
    readonly says: readonly string[];
    readonly retry: number;
    readonly delay: string;
    readonly timeout: string;
  };
}

/** Knative Services that `npm run manifests` makes with something of their own; that of the event log is written by hand. */
export const deployed: Readonly<Record<string, Deployed>> = {
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
  'resync-due': {
    sends: 'Where the events go: the ingress of the Broker in eventing/broker.yaml.',
    env: [
      {
        says: 'Longer than that of the others, as the time-out of its Trigger is: a round sends many events.',
        name: 'HANDLER_DEADLINE_SECONDS',
        value: "'23'",
      },
    ],
  },
};

/** Triggers that differ from those of other changes. */
export const woken: Readonly<Record<string, Woken>> = {
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
  'resync-due': {
    filters: `- any:
    # The tick of eventing/sources/resync-due.yaml.
    - all:
        - exact:
            type: dev.knative.sources.ping
        - exact:
            source: /apis/v1/namespaces/knudge/pingsources/resync-due
    # Its own continuation, and the installation.
    - exact:
        type: dev.knudge.resync.due`,
    tries: {
      says: [
        'Few and long: an answer that continues the round goes back into the Broker as one request, within this time-out too.',
      ],
      retry: 1,
      delay: 'PT0.4S',
      timeout: 'PT28S',
    },
  },
  'source-restarted': {
    filters: `- exact:
    knudgeabout: source-adapter
# A Pod becomes ready by an update.
- exact:
    type: dev.knative.apiserver.resource.update`,
    tries: {
      says: [
        'Many and slow, as no others: resync-due answers 503 until a minute has passed since the last resync of this sort, and these tries are',
        'its clock, 77.5 s in all. Nothing waits behind them but the next event of the same source, which nothing else reports.',
      ],
      retry: 5,
      delay: 'PT2.5S',
      timeout: 'PT28S',
    },
  },
};
