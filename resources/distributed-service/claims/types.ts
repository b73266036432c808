// Generated from crds/claims.yaml by `npm run types`; do not edit.
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';

/**
 * A Claim says who has a host name or a port of an FRP server, or who waits for it. Knudge makes it: the one whose
 * Claim the API server takes first has it.
 */
export interface Claim extends KubeObject {
  readonly spec: ClaimSpec;
}

/** What is claimed, and by whom. */
export interface ClaimSpec {
  /** The FRP server, as the namespace of its profile and the name that services call it. */
  readonly server: string;
  /** What is claimed there. */
  readonly kind: 'Host' | 'Subdomain' | 'TCPPort' | 'UDPPort';
  /** The host name, in lower case and maybe with a leading "*.", or the port. */
  readonly value: string;
  /**
   * Held - the services of one namespace have it; Released - Knudge keeps it a minute for that namespace; Waiting -
   * this service waits for the Claim of another.
   */
  readonly state: 'Held' | 'Released' | 'Waiting';
  /** The namespace of the services that hold it, or of the one that waits. One namespace alone holds a host. */
  readonly namespace: string;
  /**
   * The DistributedServices that hold it, or the one that waits, or that held it last.
   *
   * Items: One DistributedService of that namespace.
   */
  readonly services: readonly {
    /** Its uid, since another of the same name is another. */
    readonly uid: string;
    /** Its name. */
    readonly name: string;
    /**
     * Of a host the paths that it has; an empty one is what no longer path takes.
     *
     * Items: A path, or nothing.
     */
    readonly locations: readonly string[];
  }[];
  /** Since when it is held, released or waited for. */
  readonly since: string;
  /** What Knudge shows the waiting namespace of the service that holds it. */
  readonly heldBy?: string;
}
