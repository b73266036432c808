// Generated from crds/distributedservices.yaml by `npm run types`; do not edit.
import type { Condition } from '../../packages/controller/domain/conditions.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

/**
 * A DistributedService makes backends inside the cluster reachable through an FRP server outside of it, and balances
 * the load over them.
 */
export interface DistributedService extends KubeObject {
  readonly spec: DistributedServiceSpec;
  readonly status?: DistributedServiceStatus;
}

/** What the service should be. */
export interface DistributedServiceSpec {
  /** The protocol that clients speak to the service. */
  readonly serviceType: 'http' | 'tcp' | 'udp';
  /**
   * The FRP server to use: a ConfigMap with the label frp.io/server-profile and this value, in the namespace of the
   * service or, shared by all, in the controller's.
   */
  readonly serverProfile: string;
  /** What answers the requests, and how it is found. */
  readonly backends: {
    /**
     * How backends are found. auto takes the Pods and Services with the label frp.io/service and the name of this
     * DistributedService; selector takes the Pods that the selector fits; manual takes the listed endpoints.
     */
    readonly discovery: 'manual' | 'auto' | 'selector';
    /**
     * The port of the backends, as a number from 1 to 65535 or, with auto and selector discovery, as the name that
     * their Pods give it. With manual discovery it is the number for endpoints without a port of their own.
     */
    readonly port?: number | string;
    /**
     * The backends of manual discovery.
     *
     * Items: One backend.
     */
    readonly endpoints?: readonly {
      /**
       * An IP address, or the name of a Service in the same namespace. Names from outside, URLs and addresses that
       * reach no other machine (loopback, link-local, multicast) are refused.
       */
      readonly host: string;
      /** The port of this backend; backends.port if absent. */
      readonly port?: number;
      /** The share of this backend, relative to the others; ignored by, and so refused with, random. */
      readonly weight: number;
    }[];
    /** Which Pods of the namespace are backends; all conditions must hold. */
    readonly selector?: {
      /** Labels and the value that each must have. */
      readonly matchLabels?: Readonly<Record<string, string>>;
      /**
       * Conditions on labels that matchLabels cannot express.
       *
       * Items: One condition on one label.
       */
      readonly matchExpressions?: readonly {
        /** The label's key. */
        readonly key: string;
        /** How the label is compared with the values. */
        readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
        /**
         * The values to compare with; at least one for In and NotIn, none otherwise.
         *
         * Items: A label's value.
         */
        readonly values?: readonly string[];
      }[];
    };
    /**
     * With workloadRef, the replicas of that workload; without, how many backends must be ready for the service to be
     * ready. This is what kubectl scale and autoscalers set.
     */
    readonly replicas: number;
    /** The workload in the same namespace that runs the backends and follows backends.replicas. */
    readonly workloadRef?: {
      /** The API version of the workload. */
      readonly apiVersion: 'apps/v1';
      /** The kind of the workload. */
      readonly kind: 'Deployment' | 'StatefulSet' | 'ReplicaSet';
      /** The name of the workload. */
      readonly name: string;
    };
  };
  /** How requests are shared among the backends. */
  readonly loadBalancing: {
    /**
     * round-robin takes turns by weight; random draws evenly; least-conn picks the backend with the fewest open
     * requests or connections, which udp does not have.
     */
    readonly algorithm: 'random' | 'round-robin' | 'least-conn';
    /** Active probes of each backend; one that fails gets no traffic. No probes if absent. */
    readonly healthCheck?: {
      /** tcp opens a connection; http asks for the path and wants a 200. */
      readonly type: 'tcp' | 'http';
      /** The path that an http check asks for, with an optional query; "/" if absent. */
      readonly path?: string;
      /** Another port to probe than the one that serves. A udp service needs one, a TCP port. */
      readonly port?: number;
      /** The time between two probes of a backend, from 1s to 5m, as a whole number of ms, s or m. */
      readonly interval: string;
      /** How long a probe may take, from 100ms to 1m and shorter than the interval. */
      readonly timeout: string;
      /** Failed probes in a row after which a backend gets no traffic. */
      readonly failureThreshold: number;
      /** Good probes in a row after which a backend gets traffic again. */
      readonly successThreshold: number;
    };
  };
  /** How the service proves itself to the FRP server. */
  readonly security: {
    /** Mutual TLS between the service and the FRP server. */
    readonly mtls: {
      /** Whether the service shows a client certificate to the FRP server. */
      readonly enabled: boolean;
      /** Whether the controller makes the certificate, renews it before it expires and revokes it at deletion. */
      readonly autoGenerate: boolean;
      /**
       * A Secret of type kubernetes.io/tls in the same namespace with the certificate (tls.crt) and its key (tls.key),
       * where autoGenerate is false.
       */
      readonly secretName?: string;
    };
  };
  /** How the service appears at the FRP server. Without it a tcp or udp service gets a port that the server chooses. */
  readonly expose?: {
    /**
     * The host names of an http service.
     *
     * Items: A DNS name of two labels or more in lower case; a leading "*." stands for one or more labels.
     */
    readonly domains?: readonly string[];
    /** A host name of an http service below the domain of the FRP server, given as its one label. */
    readonly subdomain?: string;
    /**
     * Only requests for paths that begin with one of these go to this http service; all if absent.
     *
     * Items: The beginning of a path.
     */
    readonly locations?: readonly string[];
    /** The port of the FRP server on which a tcp or udp service appears; the server chooses one if absent. */
    readonly remotePort?: number;
  };
}

/** What the controller has seen and done. */
export interface DistributedServiceStatus {
  /** Where the service is in its life. */
  readonly state?: 'Pending' | 'Provisioning' | 'Running' | 'Updating' | 'Failed' | 'Terminating';
  /** The generation of the spec that this status speaks of. */
  readonly observedGeneration?: number;
  /** What is true of the service, one entry a question, each with its reason. */
  readonly conditions?: readonly Condition[];
  /**
   * The backends that were found.
   *
   * Items: One backend.
   */
  readonly endpoints?: readonly {
    /** The IP address of the backend. */
    readonly address: string;
    /** The port of the backend. */
    readonly port: number;
    /** The share of the backend, relative to the others. */
    readonly weight: number;
    /** Whether the backend is ready to take traffic. */
    readonly ready: boolean;
  }[];
  /** How many backends are ready. */
  readonly activeEndpoints?: number;
  /** The Pods that are backends, as a label selector in text form; autoscalers read it. */
  readonly selector?: string;
  /** The server profile in use, as namespace/name of its ConfigMap. */
  readonly serverProfile?: string;
  /** The digest of the token by which the gate knows this service's tunnel. Nobody gets in with it. */
  readonly identityDigest?: string;
  /**
   * The digest of what this service holds at its server, as the gate lets it in with it. Absent while it does not hold
   * all that its spec asks for.
   */
  readonly exposureDigest?: string;
  /** Where the service is reachable, such as web.example.com or frps.example.com:7001. */
  readonly address?: string;
  /**
   * What the workload of workloadRef was last asked for. It is asked once for each generation, so that an autoscaler of
   * its own is not fought.
   */
  readonly scaled?: {
    /** The uid of that workload. */
    readonly uid: string;
    /** The generation of the spec that asked for it. */
    readonly generation: number;
    /** How many replicas it was asked for. */
    readonly replicas: number;
  };
  /**
   * What was written of late, and how often. More than twelve times a minute without a reason is a loop.
   *
   * Items: One object.
   */
  readonly recentWrites?: readonly {
    /** Its kind and name; status and finalizers are those of this object. */
    readonly object: string;
    /** How often it was written. */
    readonly count: number;
    /** Since when; of what is held back, when it was written last. */
    readonly since: string;
    /** A hash of what it was made from. */
    readonly inputs: string;
  }[];
  /** When the controller last changed something because of this service. */
  readonly lastReconciled?: string;
}
