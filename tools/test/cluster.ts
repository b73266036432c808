import { join } from 'node:path';
import { startCluster } from '../control-plane/cluster-api.ts';
import { ClusterError } from '../control-plane/errors.ts';
import { installPackages } from '../control-plane/node/packages.ts';
import { whyNoNode } from '../control-plane/node/why-not.ts';

/** OpenShift turns it on: who sets an owner reference that blocks deletion must be allowed to. */
const strictOwners = '--enable-admission-plugins=OwnerReferencesPermissionEnforcement';

type Log = (line: string) => void;

/**
 * Does the work with KNUDGE_TEST_KUBECONFIG naming an API server: the one that it names already, or one that is started
 * for it (then KNUDGE_TEST_AUDIT_LOG is its log of calls) and that ends with the work, whatever becomes of it.
 */
export async function withCluster<Result>(root: string, log: Log, work: () => Promise<Result>): Promise<Result> {
  if (process.env['KNUDGE_TEST_KUBECONFIG']) {
    log(`Using the cluster of KNUDGE_TEST_KUBECONFIG, ${process.env['KNUDGE_TEST_KUBECONFIG']}`);
    return work();
  }
  const dir = join(root, `.knudge/test-${process.pid}`);
  const cluster = await startCluster({ dir, audit: true, apiserverArgs: [strictOwners], log });
  log('The API server is up');
  try {
    process.env['KNUDGE_TEST_KUBECONFIG'] = cluster.kubeconfig;
    if (cluster.auditLog !== undefined) process.env['KNUDGE_TEST_AUDIT_LOG'] = cluster.auditLog;
    return await work();
  } finally {
    await cluster.stop();
    log('The API server is gone');
  }
}

/**
 * Does the work with KNUDGE_TEST_KUBECONFIG naming an API server that was started for it with a real node, and
 * KNUDGE_TEST_NODE its folder. Gives the reason, and does nothing, where this machine can have no real node.
 */
export async function withNode<Result>(
  root: string,
  log: Log,
  work: () => Promise<Result>,
): Promise<Result | { readonly why: string }> {
  const why = whyNoNode() ?? (await whyNotInstalled(log)) ?? whyNoNode();
  if (why !== undefined) return { why };
  const dir = join(root, `.knudge/test-${process.pid}`);
  const cluster = await startCluster({ dir, node: true, apiserverArgs: [strictOwners], log });
  log('The node is up');
  try {
    process.env['KNUDGE_TEST_KUBECONFIG'] = cluster.kubeconfig;
    process.env['KNUDGE_TEST_NODE'] = dir;
    return await work();
  } finally {
    await cluster.stop();
    log('The node is gone');
  }
}

async function whyNotInstalled(log: Log): Promise<string | undefined> {
  try {
    await installPackages(log);
    return undefined;
  } catch (error) {
    if (error instanceof ClusterError) return error.message;
    throw error;
  }
}
