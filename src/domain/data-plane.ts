/** One place where a service's traffic can go. Weights are relative to the other backends of the service, from 1. */
export interface Backend {
  /** An IP address: Envoy's endpoints file takes no names. */
  readonly address: string;
  readonly port: number;
  readonly weight: number;
  readonly ready: boolean;
}

/** The CRD's limit on status.endpoints and on a manual list. */
export const mostBackends = 256;

/**
 * Ports inside the Pod of a tunnel. They are below the range that Linux hands out (32768) and none that the sidecar of
 * a service mesh listens on.
 */
export const ports = {
  /** Envoy's listener for the service's own traffic; tcp for http and tcp services, udp for udp services. */
  ingress: 18000,
  /** Envoy's listener for the kubelet; it answers GET /ready and nothing else. */
  probe: 18001,
} as const;

/** Folders inside the Pod of a tunnel, each a volume; never mounted by subPath, whose files are never updated. */
export const mounts = {
  /** The ConfigMap with frpc.json, envoy.json and server-ca.crt. */
  config: '/etc/knudge/config',
  /** The ConfigMap with eds.json alone. */
  endpoints: '/etc/knudge/endpoints',
  /** The Secret with the token: of the service's identity or, for a server without the gate, of the profile. */
  identity: '/etc/knudge/identity',
  /** The Secret with the client certificate and its key. */
  tls: '/etc/knudge/tls',
} as const;

export const files = {
  frpc: 'frpc.json',
  envoy: 'envoy.json',
  serverCa: 'server-ca.crt',
  endpoints: 'eds.json',
  token: 'token',
  certificate: 'tls.crt',
  key: 'tls.key',
} as const;

/** Where a tunnel's files, ports and admin socket are. Tests on one machine give each tunnel a layout of its own. */
export interface Layout {
  readonly ports: Readonly<Record<keyof typeof ports, number>>;
  readonly mounts: Readonly<Record<keyof typeof mounts, string>>;
  /** The name of an abstract Unix socket, after its @. */
  readonly adminSocket: string;
}

export const podLayout: Layout = { ports, mounts, adminSocket: 'knudge-envoy-admin' };

/** What Envoy calls the backends: its bootstrap and the endpoints file must agree. */
export const upstream = 'upstream';
