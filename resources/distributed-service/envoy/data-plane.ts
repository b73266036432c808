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
  /** 200 as long as a backend passes its health check, else 503; only where there is a health check. */
  backends: '/backends',
  /** 200 as long as the FRP server has taken the proxy of the service, else 503; only where it has one. */
  published: '/published',
  /** Which endpoints Envoy uses: LiveEndpoints as Envoy writes its statistics. */
  endpoints: '/endpoints',
  /** Figures of the traffic for Prometheus, and nothing else of Envoy's statistics. */
  metrics: '/metrics',
  /** What frpc's admin API says of its proxies, and nothing else of that API. */
  proxies: '/proxies',
  /** No answer of its own: what Envoy says of a connection to the FRP server. */
  server: '/server',
} as const;

/** The environment variable of both containers with the uid of their Pod, and the user of frpc's admin API. */
export const adminAccess = { user: 'knudge', password: 'KNUDGE_POD_UID' } as const;

/** Why the FRP server has not taken the proxy of a service, as far as it can be told from the Pod of the tunnel. */
export type Unpublished =
  /** The server has refused the proxy; frpc will try again. */
  | { readonly is: 'refused'; readonly words: string }
  /** No connection to the server; the words are Envoy's. */
  | { readonly is: 'unreachable'; readonly words: string }
  /** The server takes connections, and has not let frpc in, or not yet. */
  | { readonly is: 'not-logged-in' };

/** What an Envoy says of the endpoints that it uses. */
export interface LiveEndpoints {
  /** That of the last endpoints file that it took; empty before the first. */
  readonly version: string;
  /** How many backends it has, and how many of them pass their health check. */
  readonly total: number;
  readonly healthy: number;
  /** How many endpoints files it has refused since it started. */
  readonly refused: number;
  /** Why the service is not published; absent where nobody asked, or it is. */
  readonly unpublished?: Unpublished;
}

/** What Envoy calls the backends: its bootstrap and the endpoints file must agree. */
export const upstreamCluster = 'upstream';

/** What Envoy calls itself as the way to frpc's admin API, which it asks each second whether the proxy runs. */
export const proxiesCluster = 'proxies';
