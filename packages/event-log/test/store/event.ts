import type { Received } from '../../../controller/domain/change.ts';

export interface EventParts {
  readonly id?: string;
  readonly type?: string;
  readonly time?: string;
  readonly extensions?: Readonly<Record<string, string>>;
  readonly data?: unknown;
}

/** An event about the ConfigMap shop/settings, with what a test wants to be different. */
export function received({ id = 'e-1', type = 'a.b.update', time, extensions = {}, data }: EventParts = {}): Received {
  const about = { apiversion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' };
  const event = { id, type, source: '/s', extensions: new Map(Object.entries({ ...about, ...extensions })), data };
  return time === undefined ? event : { ...event, time };
}
