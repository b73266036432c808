import { join } from 'node:path';

/**
 * Names and addresses of the real node: a machine has one at most, so that they can be fixed. The addresses are from
 * 198.18.0.0/15, which is for tests of network devices (RFC 2544); test/dataplane uses the lower half.
 */
export const place = {
  /** The name of its network namespace, of this machine's end of the link to it, and of the cgroup above those of all its Pods. */
  name: 'knudge-node',
  /** The name of the Node object. */
  nodeName: 'real-node',
  netns: '/run/netns/knudge-node',
  /** This machine, as the node and its Pods reach it. */
  host: '198.19.1.1',
  address: '198.19.1.2',
  pods: '198.19.2.0/23',
  /** The range of Services that the control plane is started with. */
  services: '10.96.0.0/16',
  /** The address of the DNS server for Services, in a cluster that has one. */
  names: '10.96.0.10',
  /** The API server listens on loopback; a forwarder listens here. */
  apiPort: 6443,
} as const;

/**
 * Folders of this machine that container runtime, plugins and kubelet write into: the node sees others in their place, so
 * that the machine's own container runtime is not disturbed and nothing stays behind.
 */
export const privateFolders = [
  '/run/containerd',
  '/run/runc',
  '/var/lib/cni',
  '/var/lib/containerd',
  '/var/lib/kubelet',
  '/var/log/containers',
  '/var/log/pods',
] as const;

/** The path on this machine of one of the private folders. */
export const behind = (dir: string, path: string): string => join(dir, 'node/root', path);

/** A file of the node's own. */
export const fileOf = (dir: string, name: string): string => join(dir, 'node', name);
