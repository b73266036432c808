import type { CloudEvent } from '../../../packages/mesh/cloud-event.ts';

/** A tick of the PingSource. */
export function tick(now: number, id: string): CloudEvent {
  const time = new Date(now).toISOString();
  const source = '/apis/v1/namespaces/knudge/pingsources/resync-due';
  return {
    attributes: { specversion: '1.0', id, type: 'dev.knative.sources.ping', source, time },
    data: Buffer.alloc(0),
  };
}
