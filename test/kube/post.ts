import { randomUUID } from 'node:crypto';
import type { Stem } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { type BuiltEvent, recorded } from '../build/event.ts';
import type { Arena } from './arena.ts';

export interface Posted {
  readonly status: number;
  /** The header Knudge-Outcome. */
  readonly outcome: string;
  readonly body: string;
}

interface Sent {
  readonly type?: string;
  readonly source?: string;
  readonly query?: string;
}

/** Posts an event as the real ApiServerSource shapes it: the whole object in binary mode, or a reference to it. */
export async function postEvent(
  url: string,
  object: KubeObject,
  { type = 'resource.update', source = 'https://127.0.0.1:6443', query = '' }: Sent = {},
): Promise<Posted> {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace = '' } = metadata;
  const data = type.startsWith('ref.') ? { apiVersion, kind, name, namespace } : object;
  const response = await fetch(`${url}/${query}`, {
    method: 'POST',
    signal: AbortSignal.timeout(30_000),
    headers: {
      'ce-specversion': '1.0',
      'ce-type': type.includes('.knudge.') ? type : `dev.knative.apiserver.${type}`,
      'ce-id': randomUUID(),
      'ce-source': source,
      'ce-time': '2026-11-21T02:03:23.679819028Z',
      'ce-kind': kind,
      'ce-apiversion': apiVersion,
      'ce-name': name,
      'ce-namespace': namespace,
      'content-type': 'application/json',
    },
    body: JSON.stringify(data),
  });
  return {
    status: response.status,
    outcome: response.headers.get('knudge-outcome') ?? '',
    body: await response.text(),
  };
}

/** Posts a recorded event of a function to it. */
export async function postRecorded(arena: Pick<Arena, 'functions'>, stem: Stem, name: string): Promise<Response> {
  return postRaw(arena.functions.of(stem).url, recorded(`${stem}/${name}`));
}

/** Posts a request as it is. */
export async function postRaw(url: string, { headers, body }: BuiltEvent): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body: new Uint8Array(body), signal: AbortSignal.timeout(60_000) });
}
