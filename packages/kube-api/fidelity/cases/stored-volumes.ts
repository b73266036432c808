import { type Case, core, del, get, mergePatch, post } from '../case.ts';

const claims = core('persistentvolumeclaims');
const one = (name: string, path: string, body: unknown): Case => ({ name, steps: [post(path, body)] });
const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const quota = { metadata: { name: 'web' }, spec: { hard: { pods: '4', 'requests.cpu': 1 } } };

/** Volumes, classes of storage, quotas and limits: what the API server makes of them; nothing provides or counts in the embedded API. */
export const storedVolumesCases: readonly Case[] = [
  one('a PersistentVolumeClaim is pending and protected', `${claims}?dryRun=All`, { metadata: { name: 'web' }, spec }),
  one('a PersistentVolumeClaim keeps its class, also an empty one', `${claims}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: { ...spec, storageClassName: '', volumeMode: 'Block', volumeName: 'pv' },
  }),
  one('a PersistentVolumeClaim needs a size and a mode of access', `${claims}?dryRun=All`, {
    metadata: { name: 'web' },
    spec: {},
  }),
  {
    name: 'a PersistentVolumeClaim may grow labels, and nothing of its spec',
    given: [post(claims, { metadata: { name: 'web' }, spec: { ...spec, storageClassName: 'none' } })],
    steps: [
      mergePatch(`${claims}/web?dryRun=All`, { metadata: { labels: { app: 'web' } } }, { view: labelsOf }),
      mergePatch(`${claims}/web?dryRun=All`, { spec: { accessModes: ['ReadOnlyMany'] } }, { view: reasonOf }),
    ],
  },
  one('a PersistentVolume is retained', '/api/v1/persistentvolumes?dryRun=All', {
    metadata: { name: '{ns}-web' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/data' },
    },
  }),
  one('a StorageClass deletes and binds at once', '/apis/storage.k8s.io/v1/storageclasses?dryRun=All', {
    metadata: { name: '{ns}-fast' },
    provisioner: 'example.com/fast',
    parameters: { kind: 'ssd' },
  }),
  one('a StorageClass needs a provisioner', '/apis/storage.k8s.io/v1/storageclasses?dryRun=All', {
    metadata: { name: '{ns}-fast' },
  }),
  one('a ResourceQuota has an empty status at first', `${core('resourcequotas')}?dryRun=All`, quota),
  {
    name: 'a LimitRange fills up what one limit says of another',
    steps: [
      post(core('limitranges'), {
        metadata: { name: 'web' },
        spec: {
          limits: [
            { type: 'Container', max: { cpu: '2' }, min: { cpu: '100m' }, default: { memory: '1Gi' } },
            { type: 'Pod', max: { cpu: '4' } },
          ],
        },
      }),
      get(core('limitranges', 'web')),
      del(core('limitranges', 'web')),
    ],
  },
];

function labelsOf(body: unknown): unknown {
  return (body as { metadata: { labels: unknown } }).metadata.labels;
}

/** The whole text has a dump of Go's structs. */
function reasonOf(body: unknown): unknown {
  return (body as { reason: unknown }).reason;
}
