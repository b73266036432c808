import type { KubeObject } from '../../../../packages/controller/domain/kube-object.ts';
import { otherImage } from '../../scenarios/cast.ts';

type Patch = Readonly<Record<string, unknown>>;

/** The ways in which a person spoils an object that Knudge made, each as a merge patch. */
export function damagesTo(live: KubeObject): readonly Patch[] {
  return [
    { metadata: { annotations: { 'knudge.dev/spec-hash': 'mine' } } },
    { metadata: { labels: { 'example.com/touched': 'yes' } } },
    ...damagesToKind(live),
  ];
}

function damagesToKind(live: KubeObject): readonly Patch[] {
  switch (live.kind) {
    case 'Deployment':
      return [{ spec: { replicas: 3 } }, otherImage(live), { spec: { strategy: { type: 'RollingUpdate' } } }];
    case 'Pod':
      return [otherImage(live)];
    case 'Service':
      return [
        { spec: { selector: { app: 'other' } } },
        // A port of one's own beside Knudge's would stay, and rightly so.
        { spec: { ports: portsOf(live, { targetPort: 9999 }) } },
        { spec: { ports: portsOf(live, { port: 9999 }) } },
      ];
    default:
      return [{ data: dataOf(live, 'e30=') }, { data: dataOf(live, null) }];
  }
}

function portsOf(live: KubeObject, change: object): readonly object[] {
  const { spec } = live as KubeObject & { readonly spec: { readonly ports: readonly object[] } };
  return spec.ports.map((port) => ({ ...port, ...change }));
}

function dataOf(live: KubeObject, value: string | null): Readonly<Record<string, string | null>> {
  const { data = {} } = live as KubeObject & { readonly data?: Readonly<Record<string, string>> };
  return Object.fromEntries(Object.keys(data).map((key) => [key, value]));
}
