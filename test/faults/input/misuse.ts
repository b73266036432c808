import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Fields } from './malformed-resource.ts';

/** What is put into the namespace and taken out of it. */
export interface Scene {
  readonly put?: readonly KubeObject[];
  readonly remove?: readonly KubeObject[];
}

/** A resource that the schema takes and that makes no sense all the same, as a function of its own name. */
export interface Misuse {
  /** A sentence; no two are the same. */
  readonly name: string;
  readonly spec: (name: string) => Fields;
  readonly bad?: (name: string) => Scene | Promise<Scene>;
  /** The condition that must say so. */
  readonly told: { readonly reason: string | RegExp; readonly message: RegExp };
  /** The correction: its spec and its scene. Those with the same shape come to the same state. */
  readonly shape: Shape;
  readonly good?: (name: string) => Scene | Promise<Scene>;
  /** Only a new one can be so: over one that runs there is nothing to be done wrong. */
  readonly onlyNew?: true;
}

export type Shape = keyof typeof shapes;

const manual = { discovery: 'manual', port: 80, replicas: 1, endpoints: [{ host: '10.1.2.3' }] };

/** Each wants a domain of its own, so that no two of them have anything to do with each other. */
const good = (name: string): Fields => ({
  serviceType: 'http',
  backends: manual,
  expose: { domains: [`${name}.example.com`] },
});

/** Good specs by name. */
export const shapes = {
  plain: good,
  'own profile': (name: string): Fields => ({ ...good(name), serverProfile: `${name}-p` }),
  'own secret': (name: string): Fields => ({
    ...good(name),
    security: { mtls: { enabled: true, autoGenerate: false, secretName: `${name}-s` } },
  }),
  'made certificate': (name: string): Fields => ({
    ...good(name),
    security: { mtls: { enabled: true, autoGenerate: true } },
  }),
  selector: (name: string): Fields => ({
    ...good(name),
    backends: { discovery: 'selector', port: 80, replicas: 0, selector: { matchLabels: { app: 'none' } } },
  }),
  'own profile, made certificate': (name: string): Fields => ({
    ...good(name),
    serverProfile: `${name}-p`,
    security: { mtls: { enabled: true, autoGenerate: true } },
  }),
} as const satisfies Readonly<Record<string, (name: string) => Fields>>;

/** The good service of this name with other backends. */
export function withBackends(name: string, backends: Fields): Fields {
  return { ...good(name), backends };
}

/** This very text somewhere in another. */
export function quoted(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
