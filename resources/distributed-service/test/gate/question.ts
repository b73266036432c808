import assert from 'node:assert/strict';
import type { ObjectRef } from '../../../../packages/controller/domain/kube-object.ts';
import type { Asked } from '../../../../packages/controller/domain/ports.ts';
import { hashOf } from '../../../../packages/controller/react/hash.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { filesOf, textOf } from '../../../../test/house/files.ts';
import { exposedProxy } from '../../frp/exposed-proxy.ts';
import { askGate } from '../../gate/ask.ts';
import type { DistributedService } from '../../types.ts';

type Json = Readonly<Record<string, unknown>>;

export interface RecordedQuestion extends Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly version: string; readonly op: string; readonly content: Json };
}

export type Op = 'login' | 'new-proxy' | 'ping';

export const recordings = filesOf('test/fixtures/questions/frp-gate', '.json');

/** A recorded request of frps with another content; its path without the query. */
export function question(op: Op, content: Json = {}): RecordedQuestion {
  const recorded = JSON.parse(textOf(`test/fixtures/questions/frp-gate/${op}.json`)) as RecordedQuestion;
  const { body } = recorded;
  const path = recorded.path.split('?')[0] ?? '';
  return { ...recorded, path, body: { ...body, content: { ...body.content, ...content } } };
}

/** The content of a request in which the client names itself by these metadatas: each operation has them in another place. */
export function claiming(op: Op, metas: unknown): Json {
  return op === 'login' ? { metas } : { user: { user: '', metas, run_id: 'run-1' } };
}

interface Asker {
  readonly cluster: MemoryCluster;
  readonly ref: ObjectRef;
  /** The path at which its server asks the gate. */
  readonly path: string;
}

/** The answer of the gate to a client that has the token of the service, and that asks for just the proxy that its spec says now. */
export async function askAs(op: Op, { cluster, ref, path }: Asker): Promise<{ outcome: string; said: string }> {
  const service = ((await cluster.get(ref)) ?? assert.fail()) as DistributedService;
  const { metadata, spec, status } = service;
  const { namespace, name } = ref;
  const own = exposedProxy({ namespace, name, spec });
  const identity = status?.identityDigest;
  const proxy = {
    proxy_name: own?.name,
    proxy_type: own?.type,
    remote_port: own?.remotePort,
    custom_domains: own?.customDomains,
    subdomain: own?.subdomain,
    locations: own?.locations,
  };
  const who = { service: `${namespace}/${name}`, uid: metadata.uid, identity };
  const asked = question(op, { ...claiming(op, who), ...(op === 'new-proxy' && proxy) });
  const isSame = (one: string, other: string): boolean => one === other;
  // At a login the token is compared by its hash, which no test needs to know.
  const hash = (text: string): string => (op === 'login' ? (identity ?? '') : hashOf(text));
  const context = { reader: cluster, controllerNamespace: 'knudge', hash, isSame, md5: () => '' };
  const { outcome, json } = await askGate({ ...asked, path }, context);
  return { outcome, said: JSON.stringify(json) };
}
