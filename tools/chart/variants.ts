/** A way to install Knudge: a kustomization, and the condition for it in the chart. */
export interface Variant {
  readonly folder: string;
  /** A condition of Go's templates; empty for the usual installation. */
  readonly when: string;
  /** The values that make the condition true. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The usual installation comes first. If two others change the same field, the upper one wins. */
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
  { folder: 'deploy/overlays/source', when: '.Values.source.enabled', values: { source: { enabled: true } } },
  {
    folder: 'deploy/overlays/deliveries',
    when: '.Values.deliveries.enabled',
    values: { deliveries: { enabled: true } },
  },
  { folder: 'deploy/overlays/secure', when: '.Values.oidc.enabled', values: { oidc: { enabled: true } } },
  { folder: 'deploy/overlays/frps', when: '.Values.frps.enabled', values: { frps: { enabled: true } } },
  {
    folder: 'deploy/overlays/prometheus',
    when: '.Values.prometheus.enabled',
    values: { prometheus: { enabled: true } },
  },
];

/** The changes that an overlay and a component make only together. A pair wins over all of `variants`. */
export interface Pair {
  /** Both by their names below deploy/; a component has the condition of the overlay with its name. */
  readonly overlay: string;
  readonly component: string;
}

export const pairs: readonly Pair[] = [
  { overlay: 'deliveries', component: 'kafka' },
  { overlay: 'secure', component: 'kafka' },
  { overlay: 'secure', component: 'source' },
  { overlay: 'secure', component: 'deliveries' },
  { overlay: 'source', component: 'single-namespace' },
  { overlay: 'prometheus', component: 'single-namespace' },
];

/** The conditions of the two. */
export function partsOf({ overlay, component }: Pair): readonly string[] {
  return [overlay, component].map((name) => {
    const variant = variants.find(({ folder }) => folder === `deploy/overlays/${name}`);
    if (variant === undefined) throw new Error(`nothing in the chart turns on deploy/overlays/${name}`);
    return variant.when;
  });
}
