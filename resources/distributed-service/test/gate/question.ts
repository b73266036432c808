import type { Asked } from '../../../../packages/controller/domain/ports.ts';
import { filesOf, textOf } from '../../../../test/house/files.ts';

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
