/** One address to which Envoy can send a service's traffic. Weights are relative to the other backends of the service, from 1. */
export interface Backend {
  /** An IP address: Envoy's endpoints file takes no names. */
  readonly address: string;
  readonly port: number;
  readonly weight: number;
  readonly ready: boolean;
}

/** The CRD's limit on status.endpoints and on a manual list. */
export const mostBackends = 256;

/** The ports, folders and socket inside the Pod of a tunnel. Tests on one machine give each tunnel a layout of its own. */
export interface Layout {
  /** Envoy's listener for the service's own traffic; tcp for http and tcp services, udp for udp services. */
  readonly ingressPort: number;
  /** Envoy's listener for the kubelet and the controller; it answers GET of the paths below and nothing else. */
  readonly probePort: number;
  /** frpc's admin API, on the loopback of the Pod; its password is the uid of the Pod. */
  readonly adminPort: number;
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
  adminPort: 18002,
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
  /** 200 as long as a backend passes its health check, else 503; only if the spec has a health check. */
  backends: '/backends',
  /** 200 as long as the FRP server has accepted the proxy of the service, else 503; only if the service has one. */
  published: '/published',
  /** The statistics of Envoy from which `LiveEndpoints` is read. */
  endpoints: '/endpoints',
  /** Figures of the traffic for Prometheus, and nothing else of Envoy's statistics. */
  metrics: '/metrics',
  /** The answer of frpc's admin API about its proxies, and nothing else of that API. */
  proxies: '/proxies',
  /** A route to the FRP server, which does not speak HTTP: Envoy's error says whether it could connect. */
  server: '/server',
} as const;

/** The user of frpc's admin API, and the environment variable of both containers with the password: the uid of their Pod. */
export const adminAccess = { user: 'knudge', password: 'KNUDGE_POD_UID' } as const;

/** The reason why the FRP server has not accepted the proxy of a service, as far as the Pod of the tunnel knows it. */
export type Unpublished =
  /** The server has refused the proxy; frpc will try again. */
  | { readonly is: 'refused'; readonly words: string }
  /** No connection to the server; the words are Envoy's. */
  | { readonly is: 'unreachable'; readonly words: string }
  /** The server accepts connections, and has not let frpc in, or not yet. */
  | { readonly is: 'not-logged-in' };

/** The endpoints that an Envoy uses, by its own statistics. */
export interface LiveEndpoints {
  /** The version of the last endpoints file that it accepted; empty before the first. */
  readonly version: string;
  /** How many backends it has, and how many of them pass their health check. */
  readonly total: number;
  readonly healthy: number;
  /** How many endpoints files it has refused since it started. */
  readonly refused: number;
  /** Why the service is not published; absent if it is, or if that was not asked. */
  readonly unpublished?: Unpublished;
}

/** The name of the cluster of backends in Envoy: its bootstrap and the endpoints file must agree on it. */
export const upstreamCluster = 'upstream';

/** The name of Envoy's cluster for frpc's admin API. Its health check asks each second, through Envoy itself, whether the proxy runs. */
export const proxiesCluster = 'proxies';
