import type { KubeObject, ObjectMeta, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { Refused, type User } from '../../../packages/controller/testing/user.ts';
import { type ChildRole, childName, childRoles } from '../../../resources/distributed-service/names.ts';
import type { DistributedServiceSpec } from '../../../resources/distributed-service/types.ts';
import { distributedService, forUse, message, object, serverProfile } from '../../build/objects.ts';
import type { Place, Scenario } from '../scenario.ts';
import { suppliedPairs } from './supplied-pairs.ts';

type Spec = Partial<DistributedServiceSpec>;
type Named = { readonly name?: string };

/** The DistributedService that most scenarios are about, and the Message. */
export const webRef = ({ namespace }: Place, name = 'web'): ObjectRef => ({
  apiVersion: 'frp.io/v1beta1',
  kind: 'DistributedService',
  namespace,
  name,
});
export const helloRef = ({ namespace }: Place, name = 'hello'): ObjectRef => ({
  apiVersion: 'myorg.dev/v1',
  kind: 'Message',
  namespace,
  name,
});

/** An object of the namespace by kind and name; `apps/v1 Deployment` where it is not one of the core group. */
export function refIn({ namespace }: Place, kind: string, name: string): ObjectRef {
  const [apiVersion = 'v1', bare = kind] = kind.includes(' ') ? kind.split(' ') : ['v1', kind];
  return { apiVersion, kind: bare, namespace, name };
}

/** A child of `web` by its role. */
export function childRef({ namespace }: Place, role: ChildRole): ObjectRef {
  return { ...childRoles[role], namespace, name: childName('web', role) };
}

/** Any event about the service, or the Message, that changes nothing: where no other event reports what was done. */
export async function wake(user: User, ref: ObjectRef): Promise<void> {
  await user.patch(ref, { metadata: { annotations: { 'example.com/note': 'look' } } });
}

/** A row about the DistributedService `web` alone. */
export function aboutWeb(row: Omit<Scenario, 'parents'>): Scenario {
  return { ...row, parents: (place) => [webRef(place)] };
}

/** A row about the Message `hello` alone. */
export function aboutHello(row: Omit<Scenario, 'parents'>): Scenario {
  return { ...row, parents: (place) => [helloRef(place)] };
}

/** The same object in the namespace of the run. */
export function inside<Kind extends KubeObject>({ namespace }: Place, one: Kind): Kind {
  return { ...one, metadata: { ...one.metadata, namespace } };
}

/** A DistributedService: tcp, its backends found by their label; `spec` goes over it. */
export function web(
  place: Place,
  spec: Spec = {},
  { name = 'web', ...metadata }: Partial<ObjectMeta> = {},
): KubeObject {
  return inside(place, distributedService(name, spec, metadata));
}

export function hello(place: Place, text = 'hello world', { name = 'hello' }: Named = {}): KubeObject {
  return inside(place, message(name, text));
}

/** The FRP server of the namespace; `data` goes over its ConfigMap's. */
export function profile(place: Place, data: Readonly<Record<string, string>> = {}, name = 'default'): KubeObject {
  return inside(place, serverProfile(name, data));
}

/** A Pod with these labels and the ports that the specs speak of; the stand-in of the kubelet makes it ready. */
export function pod(place: Place, name: string, labels: Readonly<Record<string, string>>): KubeObject {
  const ports = [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { name: 'dns', containerPort: 5353, protocol: 'UDP' },
  ];
  return inside(
    place,
    object('Pod', name, { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1', ports }] } }),
  );
}

/** A Pod that says to be a backend of `web`. */
export function backend(place: Place, name = 'web-1', service = 'web'): KubeObject {
  return pod(place, name, { 'frp.io/service': service });
}

/** A Service with a cluster address and a port 8080. */
export function plainService(place: Place, name: string, labels: Readonly<Record<string, string>> = {}): KubeObject {
  const ports = [{ name: 'http', port: 8080, targetPort: 8080, protocol: 'TCP' }];
  return inside(place, object('Service', name, { metadata: { labels }, spec: { selector: { app: name }, ports } }));
}

/** A Deployment whose Pods are backends of `web`. */
export function workload(
  place: Place,
  replicas: number,
  { kind = 'Deployment', name = 'app' }: Named & { readonly kind?: string } = {},
): KubeObject {
  const labels = { 'frp.io/service': 'web', app: name };
  const containers = [{ name: 'app', image: 'app:1' }];
  const spec = {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  return inside(place, object(`apps/v1 ${kind}`, name, { spec }));
}

/** A certificate with its key, as a person keeps it. */
export function suppliedSecret(place: Place, pair: keyof typeof suppliedPairs = 'one', name = 'own-tls'): KubeObject {
  return inside(place, forUse(object('Secret', name, { type: 'kubernetes.io/tls', data: suppliedData(pair) })));
}

interface WithContainers {
  readonly containers: readonly object[];
}

/** What a person says who sets another image: of a Pod, or of what has a template of Pods. */
export function otherImage(live: KubeObject | undefined): Readonly<Record<string, unknown>> {
  if (live === undefined) throw new Refused('there is nothing left whose image could be another');
  const { spec } = live as unknown as {
    readonly spec: WithContainers & { readonly template?: { readonly spec: WithContainers } };
  };
  const changed = ({ containers }: WithContainers) => ({
    containers: containers.map((container) => ({ ...container, image: 'other:1' })),
  });
  return { spec: spec.template === undefined ? changed(spec) : { template: { spec: changed(spec.template.spec) } } };
}

export function suppliedData(pair: keyof typeof suppliedPairs): Readonly<Record<string, string>> {
  const { certificate, key } = suppliedPairs[pair];
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  return { 'tls.crt': encoded(certificate), 'tls.key': encoded(key) };
}

export const generated: Spec = { security: { mtls: { enabled: true, autoGenerate: true } } };
export const supplied: Spec = { security: { mtls: { enabled: true, autoGenerate: false, secretName: 'own-tls' } } };
export const bySelector: Spec = {
  backends: { discovery: 'selector', port: 8080, replicas: 1, selector: { matchLabels: { app: 'shop' } } },
};

/** A service that runs, with its server and one backend. */
export function running(place: Place, spec: Spec = {}): readonly KubeObject[] {
  return [profile(place), backend(place), web(place, spec)];
}

/** A service that has a child in every role. */
export function withEveryChild(place: Place): readonly KubeObject[] {
  return [profile(place), pod(place, 'shop-1', { app: 'shop' }), web(place, { ...bySelector, ...generated })];
}
