import { resolve } from 'node:path';
import { takeDown } from './down.ts';
import { ClusterError } from './errors.ts';
import { useExisting } from './existing.ts';
import type { AuditLevel } from './launch.ts';
import { bringUp } from './up.ts';

export type ClusterOptions = {
  /** Made if it is missing; each cluster has its own. */
  dir: string;
  /** Logs each API call; true is the level Metadata. */
  audit?: boolean | AuditLevel;
  /** Port of the API server on 127.0.0.1; a free one if absent. */
  port?: number;
  /** More flags for kube-apiserver, such as --enable-admission-plugins=OwnerReferencesPermissionEnforcement. */
  apiserverArgs?: readonly string[];
  /**
   * A real node instead of a fake one, unless `whyNoNode` gives a reason against it; its images are those of `loadImages`.
   * After a test that is killed `down` has to remove it.
   */
  node?: boolean;
  /** With a real node: its Pods get the address of a DNS server for Services, as Knative needs it. */
  dns?: boolean;
  log?: (line: string) => void;
};

export type Cluster = {
  kubeconfig: string;
  /** One JSON line (audit.k8s.io/v1 Event) for each stage of each API call; absent unless asked for. */
  auditLog?: string;
  /** Whether a controller manager runs: without one no Deployment gets Pods and no namespace ends. */
  controllers: boolean;
  stop: () => Promise<void>;
};

/**
 * Starts a cluster for a test and waits until Pods can be made; it ends with `stop` or, at the latest, with this process.
 * KNUDGE_CLUSTER_KUBECONFIG gives an existing one instead, which `stop` leaves alone. Throws ClusterError if it cannot
 * be built or started, or if one runs in this folder already.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const {
    dir: folder,
    audit = false,
    port = 0,
    node = false,
    dns = false,
    apiserverArgs = [],
    log = () => {},
  } = options;
  const existing = process.env['KNUDGE_CLUSTER_KUBECONFIG'];
  if (existing) return { ...(await useExisting(existing)), stop: async () => {} };
  const dir = resolve(folder);
  const { state, started, keep } = await bringUp({
    dir,
    port,
    audit: audit === true ? 'Metadata' : audit || undefined,
    apiserverArgs,
    node,
    dns,
    assets: process.env['KUBEBUILDER_ASSETS'] || undefined,
    exitWithParent: true,
    log,
  });
  if (!started) throw new ClusterError(`A cluster runs in ${dir} already; give each one a folder of its own.`);
  const { kubeconfig, auditLog, controllers } = state;
  const stop = async () => {
    await takeDown(dir, log);
    keep();
  };
  return { kubeconfig, ...(auditLog === undefined ? {} : { auditLog }), controllers, stop };
}
