import type { Mutant } from '../mutant.ts';

const scaling = 'resources/distributed-service/children/workload.ts';

/** What a workload was asked for is forgotten. */
const askedAnew = {
  file: scaling,
  from: '  if (before?.uid === scaled.uid && before.generation',
  to: "  if (before?.uid === 'nobody' && before.generation",
} as const;

/** What goes back and forth: each write is the reason of the next. */
export const loopMutants: readonly Mutant[] = [
  {
    id: 'status-of-a-version',
    says: 'The status of a Message says something that its own writing changes',
    after: 'R4: each event makes another',
    edits: [
      {
        file: 'resources/message/message.ts',
        from: '{ names }) => ({ phase: phases[state], podName: names.pod }',
        to: "{ names, owner }) => ({ phase: phases[state], podName: [names.pod, owner.metadata.resourceVersion].join('-') }",
      },
    ],
    near: ['message-create'],
  },
  {
    id: 'status-of-a-version-of-a-service',
    says: 'The status of a service says something that its own writing changes',
    after: 'R4: each event makes another',
    edits: [
      {
        file: 'resources/distributed-service/status/status.ts',
        from: '...(serverProfile !== undefined && { serverProfile }),',
        to: "...(serverProfile !== undefined && { serverProfile: [serverProfile, owner.metadata.resourceVersion].join('-') }),",
      },
    ],
    near: ['create-tcp'],
  },
  {
    id: 'child-of-a-version',
    says: 'A child is made from the version of its owner, which the status that follows changes',
    after: 'R4: each event makes another',
    edits: [
      {
        file: 'resources/distributed-service/children/config-map.ts',
        from: '    data,\n  } as KubeObject;',
        to: "    data: role === 'config' ? { ...data, version: metadata.resourceVersion ?? '' } : data,\n  } as KubeObject;",
      },
    ],
    near: ['create-tcp'],
  },
  {
    id: 'two-scalers',
    says: 'Two services that name one workload scale it against each other',
    after: 'H5: 50 scales in 25 s',
    edits: [
      askedAnew,
      { file: scaling, from: '.find((other) => ageOf(other) < ageOf(owner))', to: '.find(() => false)' },
    ],
    near: ['scale-two-services'],
  },
  {
    id: 'tunnel-as-its-workload',
    says: 'A service that names its own tunnel scales it, and takes that back',
    after: 'H5: 51 writes in 12 s',
    edits: [
      askedAnew,
      {
        file: scaling,
        from: 'key === undefined || isOwnTunnel(owner)) return [];',
        to: 'key === undefined) return [];',
      },
      {
        file: scaling,
        from: 'if (isOwnTunnel(owner) || (workload !== undefined && isOfKnudge(workload)))',
        to: 'if (workload !== undefined && isLeaving(workload) && isOfKnudge(workload))',
      },
    ],
    near: ['scale-own-tunnel'],
  },
  {
    id: 'pods-without-a-pause',
    says: 'A Message whose Pods are rejected makes one after the other',
    after: 'H4: 182 Pods in 20 s',
    edits: [
      { file: 'packages/controller/decide/back-off.ts', from: 'atOnce: 2, first: 25', to: 'atOnce: 2000, first: 25' },
    ],
    near: ['message-rejected-for-a-minute'],
  },
];
