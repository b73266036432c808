/** The place of the stub's objects, and how they are reported. */
export interface Collection {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  /** The selector of its watch; empty: everything. */
  readonly selector: string;
  readonly count: number;
  readonly make: (index: number) => object;
}

/** This many objects, of which nine in ten are Pods of Messages and one is a Message. */
export function collectionsOf(objects: number): readonly Collection[] {
  const messages = Math.round(objects / 10);
  return [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      path: '/api/v1/pods',
      selector: 'knudge.dev/owner-uid',
      count: objects - messages,
      make: podAt,
    },
    {
      apiVersion: 'myorg.dev/v1',
      kind: 'Message',
      path: '/apis/myorg.dev/v1/messages',
      selector: '',
      count: messages,
      make: messageAt,
    },
  ];
}

const made = '2026-11-26T10:00:00Z';

/** A uid and other texts that follow from the number, as long as real ones. */
function uidOf(kind: string, index: number): string {
  const hex = index.toString(16).padStart(12, '0');
  return `${kind === 'Pod' ? '4b0c9d52' : '9f1e7a60'}-7d1c-4e0b-8a55-${hex}`;
}

function metadataOf(kind: string, index: number) {
  const namespace = `team-${String(index % 50)}`;
  return {
    name: `${kind.toLowerCase()}-${String(index)}`,
    namespace,
    uid: uidOf(kind, index),
    creationTimestamp: made,
  };
}

/** Older ones have smaller versions; all are smaller than that of a list. */
function versionOf(index: number): string {
  return String(100_000 + index);
}

function messageAt(index: number): object {
  return {
    metadata: {
      ...metadataOf('Message', index),
      resourceVersion: versionOf(index),
      generation: 1,
      managedFields: [fieldsOf('kubectl')],
    },
    spec: { text: `Hello, number ${String(index)}` },
    status: { phase: 'Processed', observedGeneration: 1, conditions: [conditionOf('Ready', 'PodReady')] },
  };
}

/** A Pod of one container as the kubelet and the admission of a real cluster leave it: some 3.5 KB. */
function podAt(index: number): object {
  const { name, namespace, uid, creationTimestamp } = metadataOf('Pod', index);
  const message = metadataOf('Message', index);
  return {
    metadata: {
      name,
      namespace,
      uid,
      creationTimestamp,
      resourceVersion: versionOf(index),
      generation: 1,
      labels: { 'app.kubernetes.io/managed-by': 'knudge', 'knudge.dev/owner-uid': message.uid },
      annotations: { 'knudge.dev/spec-hash': uidOf('Pod', index).replaceAll('-', '').repeat(2) },
      ownerReferences: [
        { apiVersion: 'myorg.dev/v1', kind: 'Message', name: message.name, uid: message.uid, controller: true },
      ],
      managedFields: [fieldsOf('knudge'), fieldsOf('kubelet')],
    },
    spec: specAt(index),
    status: statusAt(index),
  };
}

function specAt(index: number): object {
  const token = `kube-api-access-${String(index)}`;
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt' } },
  ];
  return {
    volumes: [{ name: token, projected: { sources, defaultMode: 420 } }],
    containers: [
      {
        name: 'message',
        image: 'busybox:1.37',
        command: ['sh', '-c'],
        imagePullPolicy: 'IfNotPresent',
        args: [`echo "Hello, number ${String(index)}"; exec sleep infinity`],
        env: [{ name: 'TEXT', value: `Hello, number ${String(index)}` }],
        resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '32Mi' } },
        volumeMounts: [{ name: token, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, runAsNonRoot: true },
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    priority: 0,
    serviceAccountName: 'default',
    nodeName: `node-${String(index % 200)}`,
    schedulerName: 'default-scheduler',
    tolerations: ['not-ready', 'unreachable'].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
  };
}

function statusAt(index: number): object {
  const ip = `10.${String(64 + (index >> 16))}.${String((index >> 8) % 256)}.${String(index % 256)}`;
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  return {
    phase: 'Running',
    hostIP: '192.168.0.7',
    podIP: ip,
    podIPs: [{ ip }],
    startTime: made,
    qosClass: 'Burstable',
    conditions: types.map((type) => conditionOf(type, undefined)),
    containerStatuses: [
      {
        name: 'message',
        ready: true,
        started: true,
        restartCount: 0,
        image: 'docker.io/library/busybox:1.37',
        imageID: `docker.io/library/busybox@sha256:${'5c8ac1b1'.repeat(8)}`,
        containerID: `containerd://${index.toString(16).padStart(64, '0')}`,
        state: { running: { startedAt: made } },
      },
    ],
  };
}

function conditionOf(type: string, reason: string | undefined): object {
  return {
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: made,
    ...(reason !== undefined && { reason }),
  };
}

function fieldsOf(manager: string): object {
  const own = {
    'f:metadata': { 'f:labels': { '.': {}, 'f:knudge.dev/owner-uid': {} } },
    'f:spec': { 'f:containers': {} },
  };
  return { manager, operation: 'Update', apiVersion: 'v1', time: made, fieldsType: 'FieldsV1', fieldsV1: own };
}
