import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { insertChange, put, testLies } from './edit-trace.ts';

function editResting(trace: Trace, kind: string, edit: (object: KubeObject) => KubeObject | undefined): Trace {
  return {
    ...trace,
    resting: trace.resting.flatMap((object) => (object.kind === kind ? (edit(object) ?? []) : object)),
  };
}

function byUser(trace: Trace, kind: string, edit: Partial<KubeObject> = {}): Trace {
  const object = trace.resting.find((one) => one.kind === kind);
  if (object === undefined) throw new Error(`no ${kind}`);
  return insertChange(trace, { at: 29.5, by: { who: 'user' }, type: 'MODIFIED', object: { ...object, ...edit } });
}

testLies('O2', {
  'an object is missing': {
    of: 'message-create',
    tell: (trace) => editResting(trace, 'Pod', () => undefined),
    says: /Pod \{namespace 1\}\/msg-hello is not there/,
  },
  'an object is there that was not': {
    of: 'message-create',
    tell: (trace) => {
      const more = trace.resting
        .filter(({ kind }) => kind === 'Pod')
        .map((pod) => put(pod, ['metadata', 'name'], 'two'));
      return { ...trace, resting: [...trace.resting, ...more] };
    },
    says: /two is there and should not be/,
  },
  'a child says something else': {
    of: 'message-create',
    tell: (trace) => editResting(trace, 'Pod', (pod) => put(pod, ['spec', 'containers', 0, 'image'], 'other:1')),
    says: /differs at spec.containers.0.image: "busybox:1.37.0" and "other:1"/,
  },
  'a state is another': {
    of: 'create-generated-mtls',
    tell: (trace) => editResting(trace, 'DistributedService', (object) => put(object, ['status', 'state'], 'Updating')),
    says: /differs at status.state/,
  },
  'a child belongs to an owner that is gone': {
    of: 'message-create',
    tell: (trace) => {
      const gone = '00000000-0000-4000-8000-000000000000';
      return editResting(trace, 'Pod', (pod) => put(pod, ['metadata', 'ownerReferences', 0, 'uid'], gone));
    },
    says: /differs at metadata.ownerReferences.0.uid/,
  },
  'a token is shorter': {
    of: 'create-generated-mtls',
    tell: (trace) =>
      editResting(trace, 'Secret', (secret) =>
        secret.metadata.name === 'frp-web-identity' ? put(secret, ['data', 'token'], 'c2hvcnQ=') : secret,
      ),
    says: /differs at data.token/,
  },
  'somebody deleted the parent meanwhile, and all of it is gone': {
    of: 'message-create',
    tell: (trace) => {
      const deleted = byUser(trace, 'Message');
      return editResting(
        editResting(deleted, 'Message', () => undefined),
        'Pod',
        () => undefined,
      );
    },
  },
  'somebody else wrote the parent meanwhile, and only a child is missing': {
    of: 'message-create',
    tell: (trace) => editResting(byUser(trace, 'Message'), 'Pod', () => undefined),
    says: /msg-hello is not there/,
  },
  'somebody made the parent anew, and its states began anew': {
    of: 'message-create',
    tell: (trace) => {
      const object = trace.resting.find(({ kind }) => kind === 'Message');
      if (object === undefined) throw new Error('no Message');
      const by = { who: 'user' } as const;
      const gone = insertChange(trace, { at: 29.4, by, type: 'DELETED', object, before: object });
      const anew = insertChange(gone, { at: 29.5, by, type: 'ADDED', object });
      return editResting(anew, 'Message', (one) => put(one, ['status', 'phase'], 'Pending'));
    },
  },
  'somebody took a child from a service that has failed': {
    of: 'authority-expired',
    tell: (trace) =>
      editResting(byUser(trace, 'Deployment'), 'Deployment', ({ metadata }) => {
        if (metadata.name !== 'frp-web') throw new Error('another Deployment');
        return undefined;
      }),
  },
  'endpoints come in another order': {
    of: 'create-manual',
    tell: (trace) =>
      editResting(trace, 'DistributedService', (object) => {
        const { endpoints } = (object as KubeObject & { readonly status: { readonly endpoints: readonly unknown[] } })
          .status;
        return put(object, ['status', 'endpoints'], endpoints.toReversed());
      }),
  },
  'somebody left his mark': {
    of: 'message-create',
    tell: (trace) =>
      editResting(byUser(trace, 'Pod'), 'Pod', (pod) => put(pod, ['metadata', 'labels', 'example.com/touched'], 'x')),
  },
});
