import type { ChangeRow, FunctionRow } from '../../functions/rows.ts';
import { functions, services } from '../../functions/table.ts';

export interface FirstEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Where it is posted to. */
  readonly path: string;
  /** What it is answered with. */
  readonly status: number;
}

/**
 * What a function does when it wakes: of its kind an event that concerns nobody, and one whose parents it reads and
 * finds gone; else an event of each of its types, or questions. The code cache holds what was compiled until then.
 */
export function firstEvents(stem: string, given: readonly string[] = []): readonly FirstEvent[] {
  const shared = given.length > 0 ? given : new Map<string, readonly string[]>(Object.entries(services)).get(stem);
  if (shared !== undefined) {
    return shared.flatMap((one) => firstEvents(one).map((first) => ({ ...first, path: `/${one}` })));
  }
  const row = new Map<string, FunctionRow>(Object.entries(functions)).get(stem);
  if (row?.wakes === 'question') return questions();
  if (row?.wakes !== 'event') return changes(row ?? { kind: '/Pod' });
  const types = row.types === 'every' ? ['dev.knative.apiserver.resource.update'] : row.types;
  return types.map((type, index) => ({ ...event, headers: { ...attributes(index), 'ce-type': type }, body: '' }));
}

function changes(row: Pick<ChangeRow, 'kind'>): readonly FirstEvent[] {
  const [group = '', kind = ''] = row.kind.split('/');
  const apiVersion = group === '' ? 'v1' : `${group}/v1`;
  const metadata = { name: 'first', namespace: 'build', uid: '1', resourceVersion: '1' };
  const owner = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', name: 'gone', uid: '2', controller: true };
  const concerning = { ...metadata, labels: { 'frp.io/service': 'gone' }, ownerReferences: [owner] };
  return [metadata, concerning].map((meta, index) => ({
    ...event,
    headers: {
      ...attributes(index),
      'content-type': 'application/json',
      'ce-type': 'dev.knative.apiserver.resource.update',
      'ce-subject': `/apis/${apiVersion}/namespaces/build/${kind.toLowerCase()}s/first`,
      'ce-apiversion': apiVersion,
      'ce-kind': kind,
      'ce-namespace': 'build',
      'ce-name': 'first',
    },
    body: JSON.stringify({ apiVersion, kind, metadata: meta }),
  }));
}

/** A server's question about a client that is nobody's; a service that is not there is read before the answer. */
function questions(): readonly FirstEvent[] {
  const metas = { service: 'build/gone', uid: '1' };
  const contents = { Login: { metas, privilege_key: 'token', timestamp: 1 }, Ping: { user: { metas } } };
  return Object.entries(contents).map(([op, content]) => ({
    path: `/build/profile?version=0.1.0&op=${op}`,
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version: '0.1.0', op, content }),
  }));
}

const event = { path: '/', status: 204 } as const;

function attributes(index: number): Readonly<Record<string, string>> {
  return {
    'ce-specversion': '1.0',
    'ce-id': `first-${String(index)}`,
    'ce-source': 'https://10.96.0.1:443',
    'ce-time': '2026-01-01T00:00:00.123456789Z',
  };
}
