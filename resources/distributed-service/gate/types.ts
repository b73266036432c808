/** Whose client asks, by what it says of itself; a token or an earlier login proves it. */
export interface Claim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The digest of the token with which it has logged in: set by the gate, so absent at the login. */
  readonly identity?: string;
}

/** What an FRP server asks before it lets a client do something. */
export type GateQuestion = {
  /** The server that asks, as `namespace/name` of the ConfigMap with its profile. */
  readonly server: string;
  /** Undefined where the client names no service. */
  readonly claim: Claim | undefined;
} & (
  | {
      readonly op: 'login';
      readonly token: string;
      /** What would change the name of its proxies, or end the session of another client. */
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
      /** For the client: of a service that it is not it learns nothing, not even whether there is one. */
      readonly reason: string;
    };
