import { fileOf, place } from './place.ts';

/** The file of containerd 1.6 (also 1.7); its paths are the usual ones, which are the node's own. */
export function containerdSettings(dir: string): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
# Root without CAP_SYS_RESOURCE may not ask to be spared: runc then fails.
oom_score = 0
disabled_plugins = ["io.containerd.internal.v1.opt"]
[${cri}]
sandbox_image = "${pauseImage}"
restrict_oom_score_adj = true
[${cri}.cni]
bin_dir = "${pluginFolder}"
conf_dir = ${JSON.stringify(fileOf(dir, 'cni'))}
[${cri}.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[${cri}.containerd.runtimes.runc.options]
SystemdCgroup = false
`;
}

/** The image that holds a Pod's namespaces open for the kubelet; one of our own has this name. */
export const pauseImage = 'registry.k8s.io/pause:3.10';

/** Where Debian has the CNI plugins. */
export const pluginFolder = '/usr/lib/cni';

/** Each Pod has a link of its own and is routed: a bridge would need br_netfilter for Services. */
export const networkSettings = {
  cniVersion: '0.4.0',
  name: place.name,
  plugins: [
    {
      type: 'ptp',
      ipam: { type: 'host-local', ranges: [[{ subnet: place.pods }]], routes: [{ dst: '0.0.0.0/0' }] },
    },
  ],
};

/** The kubelet's defaults, except for what the comments in this file explain. */
export function kubeletSettings(dir: string, dns: boolean): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: place.address,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: `${dir}/pki/ca.crt` },
    },
    authorization: { mode: 'Webhook' },
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    // Without systemd, and with cgroup v1 allowed.
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${place.name}`,
    failCgroupV1: false,
    enforceNodeAllocatable: [],
    oomScoreAdj: 0,
    failSwapOn: false,
    makeIPTablesUtilChains: false,
    // A disk that is nearly full is a matter of the machine: no Pod is evicted and no image collected.
    evictionHard: { 'imagefs.available': '0%', 'nodefs.available': '0%', 'nodefs.inodesFree': '0%' },
    imageGCHighThresholdPercent: 100,
    volumePluginDir: fileOf(dir, 'volume-plugins'),
    // The usual 110 would hold a burst of Messages and leave no room for the functions that they wake.
    maxPods: 480,
    ...(dns && { clusterDNS: [place.names], clusterDomain: 'cluster.local' }),
  };
}

/** Without limits of connection tracking, which would apply to the whole machine. */
export function proxySettings(dir: string): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'nftables',
    clientConnection: { kubeconfig: fileOf(dir, 'kube-proxy.kubeconfig') },
    hostnameOverride: place.nodeName,
    clusterCIDR: place.pods,
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  };
}
