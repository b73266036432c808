import type { Due, Process } from '../../../packages/controller/testing/sim/run.ts';

/**
 * Two versions of the controller at once, as far as one checkout can be two: the other one was built with other versions of
 * frpc, Envoy and the Message's image, which is what a release mostly changes, and it gets DistributedServices in
 * frp.io/v1, as a release that has moved its sources there would be. Both have the same name and the same field manager, so
 * each undoes what the other has done. Of the code itself there is one version only.
 */
export interface Versions {
  /** Processes that begin while it is set belong to the other version. */
  other: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Those of the other version. */
  readonly processes: Process[];
}

const otherImages: Readonly<Record<string, string>> = {
  FRPC_IMAGE: 'fatedier/frpc:v0.70.0',
  ENVOY_IMAGE: 'envoyproxy/envoy:distroless-v1.39.0',
  MESSAGE_IMAGE: 'busybox:1.36.1',
};

/** The environment is read anew whenever a process begins. */
export function twoVersions(): Versions {
  const env = {};
  const versions: Versions = { other: false, env, processes: [] };
  for (const [name, image] of Object.entries(otherImages)) {
    Object.defineProperty(env, name, { enumerable: true, get: () => (versions.other ? image : '') });
  }
  return versions;
}

/** The same event as a source that watches frp.io/v1 would send it. */
export function inV1(due: Due): Due {
  const { headers, body } = due.delivery;
  const renamed = (text: string): string => text.replaceAll('frp.io/v1beta1', 'frp.io/v1');
  const fields = Object.entries(headers).map(([name, value]) => [name, renamed(value)] as const);
  return { ...due, delivery: { headers: Object.fromEntries(fields), body: Buffer.from(renamed(body.toString())) } };
}
