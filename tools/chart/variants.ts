/** A way to install Knudge: a kustomization, and what turns it on in the chart. */
export interface Variant {
  readonly folder: string;
  /** A condition of Go's templates; the usual installation has none. */
  readonly when: string;
  /** The values that make the condition true. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The usual installation first. Where two others change the same field, the upper one wins. */
export const variants: readonly Variant[] = [
  { folder: 'deploy', when: '', values: {} },
  {
    folder: 'deploy/overlays/kafka',
    when: 'eq .Values.broker.class "Kafka"',
    values: { broker: { class: 'Kafka' } },
  },
  {
    folder: 'deploy/overlays/postgres',
    when: 'eq .Values.eventLog.store "postgres"',
    values: { eventLog: { store: 'postgres' } },
  },
  {
    folder: 'deploy/overlays/single-namespace',
    when: '.Values.watch.singleNamespace',
    values: { watch: { singleNamespace: true } },
  },
  { folder: 'deploy/overlays/secure', when: '.Values.oidc.enabled', values: { oidc: { enabled: true } } },
  { folder: 'deploy/overlays/frps', when: '.Values.frps.enabled', values: { frps: { enabled: true } } },
  {
    folder: 'deploy/overlays/prometheus',
    when: '.Values.prometheus.enabled',
    values: { prometheus: { enabled: true } },
  },
];
