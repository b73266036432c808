import assert from 'node:assert/strict';
import { type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { Writer } from '../../packages/controller/domain/ports.ts';

export const namespace = 'heard-writes';

export type Kind = 'ConfigMap' | 'Service' | 'Deployment' | 'Message';

/** What a write insists on. */
export const versionOf = ({ metadata: { uid = '', resourceVersion = '' } }: KubeObject) => ({ uid, resourceVersion });

const named = (kind: Kind, apiVersion: string, rest: object): KubeObject =>
  ({ apiVersion, kind, metadata: { namespace, name: 'one' }, ...rest }) as KubeObject;
/** No node is like that. */
const podSpec = { nodeSelector: { none: 'such' }, containers: [{ name: 'web', image: 'example.invalid/web' }] };
const labels = { app: 'one' };
/** One of each kind, as it is made. */
export const objects: Readonly<Record<Kind, KubeObject>> = {
  ConfigMap: named('ConfigMap', 'v1', { data: { a: '1' } }),
  Service: named('Service', 'v1', { spec: { ports: [{ port: 80 }] } }),
  Deployment: named('Deployment', 'apps/v1', {
    spec: {
      replicas: 1,
      paused: true,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
    },
  }),
  Message: named('Message', 'myorg.dev/v1', { spec: { text: 'Hello' } }),
};

interface Stage {
  readonly writer: Writer;
  readonly live: () => Promise<KubeObject>;
  readonly made: KubeObject;
}

/** Scales what a controller writes as well, so that it may take several tries; gives how many were in vain. */
async function scaleTo(replicas: number, { writer, live }: Stage): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const deployment = await live();
    const error = await writer.scale(refOf(deployment), versionOf(deployment), replicas).catch((thrown) => thrown);
    if (error === undefined) return tries;
    assert.equal(error.code, 'conflict');
  }
}

/** Each write is tried in vain as well: over an old version, and with nothing to change. Gives how many made no version. */
export const works: Readonly<Record<string, readonly [kind: Kind, work: (stage: Stage) => Promise<number>]>> = {
  'a create and one of the same name': [
    'ConfigMap',
    async ({ writer, made }) => {
      await assert.rejects(writer.create({ ...objects.ConfigMap }), /already exists/);
      await writer.delete(refOf(made), versionOf(made), 'Background');
      return 1;
    },
  ],
  'an apply that changes something, one that does not, and one over an old version': [
    'ConfigMap',
    async ({ writer, live, made }) => {
      const wanted = { ...objects.ConfigMap, data: { a: '2' } } as KubeObject;
      await writer.apply(wanted, await live());
      await writer.apply(wanted, await live());
      await assert.rejects(writer.apply(wanted, { ...made, metadata: { ...made.metadata, managedFields: [] } }));
      return 2;
    },
  ],
  'a scale, the same again, and one over an old version': [
    'Deployment',
    async (stage) => {
      const conflicts = (await scaleTo(3, stage)) + (await scaleTo(3, stage));
      await assert.rejects(stage.writer.scale(refOf(stage.made), versionOf(stage.made), 4));
      return conflicts + 2;
    },
  ],
  'a status, the same again, and one over an old version': [
    'Message',
    async ({ writer, live, made }) => {
      const status = { conditions: [], observedGeneration: 1 };
      await writer.status(refOf(made), versionOf(await live()), status);
      await writer.status(refOf(made), versionOf(await live()), status);
      await assert.rejects(writer.status(refOf(made), versionOf(made), { ...status, observedGeneration: 2 }));
      return 2;
    },
  ],
  'a finalizer, a deletion that waits for it, the same again, and its end, which deletes': [
    'Message',
    async ({ writer, live, made }) => {
      const ref = refOf(made);
      await writer.finalizers(ref, versionOf(await live()), ['frp.io/tunnel']);
      await writer.finalizers(ref, versionOf(await live()), ['frp.io/tunnel']);
      await writer.delete(ref, versionOf(await live()), 'Background');
      await writer.delete(ref, versionOf(await live()), 'Background');
      await writer.finalizers(ref, versionOf(await live()), []);
      return 2;
    },
  ],
  'a deletion at once, and one of what is gone': [
    'Message',
    async ({ writer, made }) => {
      await writer.delete(refOf(made), versionOf(made), 'Background');
      await assert.rejects(writer.delete(refOf(made), versionOf(made), 'Background'));
      return 1;
    },
  ],
  'the deletion of a Service': [
    'Service',
    async ({ writer, live, made }) => {
      await writer.delete(refOf(made), versionOf(await live()), 'Background');
      return 0;
    },
  ],
};
