/** What a connection and a request prove themselves with. Certificates and keys in PEM. */
export interface Credentials {
  /** The whole header: `Bearer …` or `Basic …`. */
  readonly authorization?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Absent: the authorities that Node.js trusts. */
  readonly ca?: string;
  /** The name in the server's certificate where it is not the host of the address. */
  readonly serverName?: string;
  /** Only where a kubeconfig says `insecure-skip-tls-verify`. */
  readonly insecure?: boolean;
  /** `Impersonate-User` of a kubeconfig. */
  readonly impersonate?: string;
}

/** Where the API server is, and how to prove who asks. */
export interface Access {
  /** `https://host:port`, with a path where a proxy needs one; `http:` only on loopback. */
  readonly server: string;
  /** Asked before every request, so it keeps what it read; `renewed` after a 401: nothing kept is good enough. */
  credentials(renewed: boolean): Promise<Credentials>;
}
