import type { Asking } from '../../packages/controller/decide/resource.ts';
import type { KubeObject, ObjectMeta } from '../../packages/controller/domain/kube-object.ts';
import { lifetimes } from '../../resources/distributed-service/certificates/lifetimes.ts';
import type { Given } from '../../resources/distributed-service/given.ts';
import type { DistributedService, DistributedServiceSpec } from '../../resources/distributed-service/types.ts';
import type { Message } from '../../resources/message/types.ts';

type Fields = Readonly<Record<string, unknown>>;

const containers = [{ name: 'app', image: 'app' }];

/** What the API server insists on, by kind. */
const least: Readonly<Record<string, (name: string) => Fields>> = {
  Pod: () => ({ spec: { containers } }),
  Service: () => ({ spec: { ports: [{ port: 80 }] } }),
  EndpointSlice: () => ({ addressType: 'IPv4', endpoints: [] }),
  Deployment: templateOf,
  ReplicaSet: templateOf,
};

function templateOf(app: string): Fields {
  const labels = { app };
  return { spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } } };
}

/** Any object, with fields beside its metadata, and in its spec what no API server takes it without. */
export function object(
  kind: string,
  name: string,
  fields: Fields & { metadata?: Partial<ObjectMeta> } = {},
): KubeObject {
  const [apiVersion, bare] = kind.includes(' ') ? kind.split(' ') : ['v1', kind];
  const { metadata, ...rest } = fields;
  const { spec, ...others } = least[bare ?? kind]?.(name) ?? {};
  return {
    apiVersion: apiVersion ?? 'v1',
    kind: bare ?? kind,
    metadata: { name, namespace: 'shop', ...metadata },
    ...others,
    ...rest,
    ...(spec !== undefined && { spec: { ...spec, ...(rest['spec'] ?? {}) } }),
  };
}

/** As the first round of reads asks. */
export const asking: Asking = {
  controllerNamespace: 'knudge',
  hash: (text) => text,
  children: new Map(),
  tries: false,
  found: new Map(),
};

/** The same Secret, marked as one that services may use. */
export function forUse(secret: KubeObject): KubeObject {
  const labels = { ...secret.metadata.labels, 'frp.io/use': 'true' };
  return { ...secret, metadata: { ...secret.metadata, labels } };
}

export function message(name = 'hello', text = 'hello world', metadata: Partial<ObjectMeta> = {}): Message {
  return {
    apiVersion: 'myorg.dev/v1',
    kind: 'Message',
    metadata: { name, namespace: 'shop', ...metadata },
    spec: { text },
  };
}

/** What the API server makes of a small DistributedService: every default filled in. */
export const tcpSpec: DistributedServiceSpec = {
  serviceType: 'tcp',
  serverProfile: 'default',
  backends: { discovery: 'auto', port: 8080, replicas: 1 },
  loadBalancing: { algorithm: 'round-robin' },
  security: { mtls: { enabled: false, autoGenerate: true } },
  expose: { remotePort: 7001 },
};

/** A DistributedService; the port of its server is its own, for of two that want the same only one has it. */
export function distributedService(
  name = 'web',
  spec: Partial<DistributedServiceSpec> = {},
  metadata: Partial<ObjectMeta> = {},
): DistributedService {
  return {
    apiVersion: 'frp.io/v1beta1',
    kind: 'DistributedService',
    metadata: { name, namespace: 'shop', ...metadata },
    spec: { ...tcpSpec, expose: { remotePort: portOf(name) }, ...spec },
  };
}

function portOf(name: string): number {
  if (name === 'web') return 7001;
  return 10_000 + [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 50_000, 0);
}

const certificate = `-----BEGIN CERTIFICATE-----\n${'MIJD'.repeat(16)}\n-----END CERTIFICATE-----\n`;

/** An FRP server profile in the namespace of the services. */
export function serverProfile(name = 'default', data: Readonly<Record<string, string>> = {}): KubeObject {
  return object('ConfigMap', `frps-${name}`, {
    metadata: { labels: { 'frp.io/server-profile': name } },
    data: { address: 'frps.example.com', 'ca.crt': certificate, ...data },
  });
}

/** A Pod that is ready, labelled as a backend of a service. */
export function backendPod(name: string, address: string, service = 'web'): KubeObject {
  return object('Pod', name, {
    metadata: { labels: { 'frp.io/service': service } },
    spec: {
      containers: [{ name: 'app', image: 'app', ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] }],
    },
    status: { phase: 'Running', podIP: address, conditions: [{ type: 'Ready', status: 'True' }] },
  });
}

/** Some tests decide a hundred thousand times. */
function hash(text: string): string {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_000_007;
  return `h${sum}`;
}

/** What a decision is given, with nothing that changes from run to run. */
export function given(over: Partial<Given> = {}): Given {
  return {
    now: '2026-01-01T00:00:00Z',
    hash,
    newToken: () => 'token-1',
    images: { frpc: 'frpc:1', envoy: 'envoy:1' },
    controllerNamespace: 'knudge',
    lifetimes,
    certificates: {},
    ...over,
  };
}
