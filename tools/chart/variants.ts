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
  { folder: 'deploy/overlays/source', when: '.Values.source.enabled', values: { source: { enabled: true } } },
  { folder: 'deploy/overlays/secure', when: '.Values.oidc.enabled', values: { oidc: { enabled: true } } },
  { folder: 'deploy/overlays/frps', when: '.Values.frps.enabled', values: { frps: { enabled: true } } },
  {
    folder: 'deploy/overlays/prometheus',
    when: '.Values.prometheus.enabled',
    values: { prometheus: { enabled: true } },
  },
];

/** What an overlay and a component on top of it say together, and neither says alone. It wins over all of `variants`. */
export interface Pair {
  /** Both by the name that they have below deploy/; a component has the condition of the overlay of its name. */
  readonly overlay: string;
  readonly component: string;
}

export const pairs: readonly Pair[] = [
  { overlay: 'secure', component: 'kafka' },
  { overlay: 'secure', component: 'source' },
  { overlay: 'source', component: 'single-namespace' },
];

/** The condition of each of the two. */
export function partsOf({ overlay, component }: Pair): readonly string[] {
  return [overlay, component].map((name) => {
    const variant = variants.find(({ folder }) => folder === `deploy/overlays/${name}`);
    if (variant === undefined) throw new Error(`nothing in the chart turns on deploy/overlays/${name}`);
    return variant.when;
  });
}
