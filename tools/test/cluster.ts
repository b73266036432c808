import { join } from 'node:path';
import { startCluster } from '../control-plane/cluster-api.ts';

/** OpenShift turns it on: who sets an owner reference that blocks deletion must be allowed to. */
const strictOwners = '--enable-admission-plugins=OwnerReferencesPermissionEnforcement';

/**
 * Does the work with KNUDGE_TEST_KUBECONFIG naming an API server: the one that it names already, or one that is started
 * for it (then KNUDGE_TEST_AUDIT_LOG is its log of calls) and that ends with the work, whatever becomes of it.
 */
export async function withCluster<Result>(
  root: string,
  log: (line: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
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
