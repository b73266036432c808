/** The service that a client claims to belong to. A token or an earlier login proves it. */
export interface Claim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The digest of the token with which it has logged in. The gate sets it, so it is absent at the login. */
  readonly identity?: string;
}

/** A question of an FRP server before it lets a client do something. */
export type GateQuestion = {
  /** The server that asks, as `namespace/name` of the ConfigMap with its profile. */
  readonly server: string;
  /** Undefined where the client names no service. */
  readonly claim: Claim | undefined;
} & (
  | {
      readonly op: 'login';
      readonly token: string;
      /** frp's user and client id. One would change the names of its proxies, the other could end the session of another client. */
      readonly user: string;
      readonly clientId: string;
    }
  | { readonly op: 'new-proxy'; readonly proxy: ReadonlyMap<string, unknown> }
  | { readonly op: 'ping' }
);

export type GateVerdict =
  | {
      readonly is: 'in';
      /** The digest of the token that proves the claim. */
      readonly identity: string;
    }
  | {
      readonly is: 'out';
      /** For the log and the metrics. */
      readonly code: string;
      /** For the client. It does not learn whether a service exists that it does not belong to. */
      readonly reason: string;
    };
