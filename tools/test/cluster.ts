import { join } from 'node:path';
import { startCluster } from '../control-plane/cluster-api.ts';
import { ClusterError } from '../control-plane/errors.ts';
import { installPackages } from '../control-plane/node/packages.ts';
import { whyNoNode } from '../control-plane/node/why-not.ts';
import { loadKnudge } from '../knative/knudge.ts';
import { bringUpKnative, prepareKnative } from '../knative/up.ts';
import { leftBehind, tracesOf } from './left-behind.ts';

/** OpenShift turns it on: to set an owner reference that blocks deletion then needs a right. */
const strictOwners = '--enable-admission-plugins=OwnerReferencesPermissionEnforcement';

type Log = (line: string) => void;

/**
 * Does the work with KNUDGE_TEST_KUBECONFIG naming an API server: the one that it names already, or one that is started
 * for it (then KNUDGE_TEST_AUDIT_LOG is its log of calls) and that ends after the work in any case.
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
 * KNUDGE_TEST_NODE its folder. If this machine can have no real node it does nothing and returns the reason.
 */
export async function withNode<Result>(
  root: string,
  log: Log,
  work: () => Promise<Result>,
): Promise<Result | { readonly why: string }> {
  return onNode({ root, log, dns: false }, work);
}

/**
 * The same with Knative on the node, and the images of Knudge and its neighbours loaded; nothing of Knudge is installed.
 * KNUDGE_TEST_KNATIVE names the folder of such a cluster that runs already (`npm run cluster -- up --node --knative`).
 */
export async function withKnative<Result>(
  root: string,
  log: Log,
  work: () => Promise<Result>,
): Promise<Result | { readonly why: string }> {
  const running = process.env['KNUDGE_TEST_KNATIVE'];
  if (running !== undefined) {
    log(`Using the cluster of KNUDGE_TEST_KNATIVE, ${running}`);
    process.env['KNUDGE_TEST_KUBECONFIG'] = join(running, 'kubeconfig');
    process.env['KNUDGE_TEST_NODE'] = running;
    return work();
  }
  const why = whyNoNode();
  if (why !== undefined) return { why };
  const prepared = await prepareKnative(log);
  return onNode({ root, log, dns: true }, async ({ dir, kubeconfig }) => {
    const began = Date.now();
    await Promise.all([bringUpKnative(prepared, { dir, kubeconfig, log, knudge: false }), loadKnudge({ dir, log })]);
    log(`Knative is up, after ${seconds(began)} seconds more`);
    return work();
  });
}

async function onNode<Result>(
  { root, log, dns }: { readonly root: string; readonly log: Log; readonly dns: boolean },
  work: (cluster: { readonly dir: string; readonly kubeconfig: string }) => Promise<Result>,
): Promise<Result | { readonly why: string }> {
  const why = whyNoNode() ?? (await whyNotInstalled(log)) ?? whyNoNode();
  if (why !== undefined) return { why };
  const dir = join(root, `.knudge/test-${process.pid}`);
  const before = tracesOf(dir);
  const began = Date.now();
  const cluster = await startCluster({ dir, node: true, dns, apiserverArgs: [strictOwners], log });
  log(`The node is up, after ${seconds(began)} seconds`);
  let result: Result;
  try {
    process.env['KNUDGE_TEST_KUBECONFIG'] = cluster.kubeconfig;
    process.env['KNUDGE_TEST_NODE'] = dir;
    result = await work({ dir, kubeconfig: cluster.kubeconfig });
  } finally {
    await cluster.stop();
    log('The node is gone');
  }
  // As `down` does it, with all that the tests have put on the node.
  const left = leftBehind(before, tracesOf(dir));
  if (left.length > 0) throw new Error(`The node has left on this machine: ${left.join('; ')}`);
  return result;
}

const seconds = (since: number): string => ((Date.now() - since) / 1000).toFixed(0);

async function whyNotInstalled(log: Log): Promise<string | undefined> {
  try {
    await installPackages(log);
    return undefined;
  } catch (error) {
    if (error instanceof ClusterError) return error.message;
    throw error;
  }
}
