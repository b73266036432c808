interface Row {
  readonly what: string;
  readonly values: unknown;
  /** Where in the values the fault is. */
  readonly where: string;
  /** What Helm says after that place. */
  readonly says: string;
}

/** Values that the chart's schema must refuse. */
export const wrong: readonly Row[] = [
  {
    what: 'a value that is not there',
    values: { resnyc: { schedule: '* * * * *' } },
    where: '',
    says: "additional properties 'resnyc' not allowed",
  },
  {
    what: 'a value that is not there, deeper',
    values: { image: { repo: 'knudge' } },
    where: '/image',
    says: "additional properties 'repo' not allowed",
  },
  {
    what: 'a repository that ends with a slash',
    values: { image: { repository: 'registry.example.com/knudge/' } },
    where: '/image/repository',
    says: "'registry.example.com/knudge/' does not match pattern",
  },
  {
    what: 'a digest that is none',
    values: { image: { digest: 'latest' } },
    where: '/image/digest',
    says: "'latest' does not match pattern",
  },
  {
    what: 'a class that Knudge does not know',
    values: { broker: { class: 'RabbitMQBroker' } },
    where: '/broker/class',
    says: "value must be one of 'MTChannelBasedBroker', 'Kafka'",
  },
  {
    what: 'a truth in quotes',
    values: { crds: { install: 'no' } },
    where: '/crds/install',
    says: 'got string, want boolean',
  },
  {
    what: 'one namespace and a selection of them',
    values: { watch: { singleNamespace: true, namespaceSelector: { matchLabels: { a: 'b' } } } },
    where: '/watch/namespaceSelector',
    says: 'maxProperties: got 1, want 0',
  },
  {
    what: "Knudge's own source and a selection of namespaces",
    values: { source: { enabled: true }, watch: { namespaceSelector: { matchLabels: { a: 'b' } } } },
    where: '/watch/namespaceSelector',
    says: 'maxProperties: got 1, want 0',
  },
  {
    what: "a volume of Knudge's own source that is a number",
    values: { source: { enabled: true, storage: { size: 256 } } },
    where: '/source/storage/size',
    says: 'got number, want string',
  },
  {
    what: "a volume of Knudge's own source in words",
    values: { source: { enabled: true, storage: { size: '256 MiB' } } },
    where: '/source/storage/size',
    says: "'256 MiB' does not match pattern",
  },
  {
    what: "a value of Knudge's own source that is not there",
    values: { source: { enabled: true, replicas: 2 } },
    where: '/source',
    says: "additional properties 'replicas' not allowed",
  },
  {
    what: 'more Pods than the API server should bear',
    values: { functions: { maxScale: 100 } },
    where: '/functions/maxScale',
    says: 'maximum: got 100, want 20',
  },
  {
    what: 'a schedule of four fields',
    values: { resync: { schedule: '* * * *' } },
    where: '/resync/schedule',
    says: "'* * * *' does not match pattern",
  },
  {
    what: 'a store that is not there',
    values: { eventLog: { store: 'mysql' } },
    where: '/eventLog/store',
    says: "value must be one of 'sqlite', 'postgres'",
  },
  {
    what: 'a size in words',
    values: { eventLog: { storage: { size: '2 GB' } } },
    where: '/eventLog/storage/size',
    says: "'2 GB' does not match pattern",
  },
  {
    what: 'an FRP server without its authority',
    values: { frps: { enabled: true, ca: '' } },
    where: '/frps/ca',
    says: 'minLength: got 0, want 1',
  },
];
