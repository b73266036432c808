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

/** Where things are inside the Pod of a tunnel. Tests on one machine give each tunnel a layout of its own. */
export interface Layout {
  /** Envoy's listener for the service's own traffic; tcp for http and tcp services, udp for udp services. */
  readonly ingressPort: number;
  /** Envoy's listener for the kubelet and the controller; it answers GET of the paths below and nothing else. */
  readonly probePort: number;
  /** The folder with frpc.json, envoy.json and server-ca.crt. */
  readonly configPath: string;
  /** The folder with eds.json; never mounted by subPath, whose files are never updated. */
  readonly endpointsPath: string;
  /** The folder with the token: of the service's identity or, for a server without the gate, of the profile. */
  readonly identityPath: string;
  /** The folder with the client certificate and its key. */
  readonly tlsPath: string;
  /** The name of Envoy's abstract Unix socket, after its @. */
  readonly adminSocket: string;
}

/** The ports are below the range that Linux hands out (32768) and none that a service mesh's sidecar listens on. */
export const podLayout: Layout = {
  ingressPort: 18000,
  probePort: 18001,
  configPath: '/etc/knudge/config',
  endpointsPath: '/etc/knudge/endpoints',
  identityPath: '/etc/knudge/identity',
  tlsPath: '/etc/knudge/tls',
  adminSocket: 'knudge-envoy-admin',
};

export const fileNames = {
  frpc: 'frpc.json',
  envoy: 'envoy.json',
  serverAuthority: 'server-ca.crt',
  endpoints: 'eds.json',
  token: 'token',
  certificate: 'tls.crt',
  key: 'tls.key',
} as const;

/** The paths that the probe port answers. */
export const probePaths = {
  /** 200 as long as Envoy runs and has read its configuration. */
  ready: '/ready',
  /** 200 as long as a backend passes its health check, else 503; only where there is a health check. */
  backends: '/backends',
  /** Which endpoints Envoy uses: LiveEndpoints as Envoy writes its statistics. */
  endpoints: '/endpoints',
} as const;

/** What an Envoy says of the endpoints that it uses. */
export interface LiveEndpoints {
  /** That of the last endpoints file that it took; empty before the first. */
  readonly version: string;
  /** How many backends it has, and how many of them pass their health check. */
  readonly total: number;
  readonly healthy: number;
  /** How many endpoints files it has refused since it started. */
  readonly refused: number;
}

/** What Envoy calls the backends: its bootstrap and the endpoints file must agree. */
export const upstreamCluster = 'upstream';
