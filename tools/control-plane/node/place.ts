import { join } from 'node:path';

/**
 * Where the real node of a machine is: there is one at most, so that its names can be fixed. Its addresses are from
 * 198.18.0.0/15, which is for tests of network devices (RFC 2544); test/dataplane uses the lower half.
 */
export const place = {
  /** Of its network namespace, of this machine's end of the link to it, and of the cgroup above those of all its Pods. */
  name: 'knudge-node',
  /** Of the Node object. */
  nodeName: 'real-node',
  netns: '/run/netns/knudge-node',
  /** This machine, as the node and its Pods reach it. */
  host: '198.19.1.1',
  address: '198.19.1.2',
  pods: '198.19.2.0/23',
  /** What the control plane is started with. */
  services: '10.96.0.0/16',
  /** Where Services' names are resolved, in a cluster that has what resolves them. */
  names: '10.96.0.10',
  /** The API server listens on loopback, a forwarder here. */
  apiPort: 6443,
} as const;

/**
 * Folders of this machine that container runtime, plugins and kubelet write into: the node sees others in their place, so
 * that a container runtime of the machine's own is not disturbed and nothing stays behind.
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

/** Where one of the private folders is on this machine. */
export const behind = (dir: string, path: string): string => join(dir, 'node/root', path);

/** A file of the node's own. */
export const fileOf = (dir: string, name: string): string => join(dir, 'node', name);
