/** The credentials of a connection and of a request. Certificates and keys in PEM. */
export interface Credentials {
  /** The whole header: `Bearer …` or `Basic …`. */
  readonly authorization?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Trusted authorities; if absent, those that Node.js trusts. */
  readonly ca?: string;
  /** The name in the server's certificate, if it is not the host of the address. */
  readonly serverName?: string;
  /** Only if a kubeconfig says `insecure-skip-tls-verify`. */
  readonly insecure?: boolean;
  /** The `Impersonate-User` of a kubeconfig. */
  readonly impersonate?: string;
}

/** The address of the API server and the credentials for it. */
export interface Access {
  /** `https://host:port`, with a path if a proxy needs one; `http:` only on loopback. */
  readonly server: string;
  /** Called before every request, so it caches; `renewed` after a 401: then nothing cached may be used. */
  credentials(renewed: boolean): Promise<Credentials>;
}
