import type { KubeObject } from '../../domain/kube-object.ts';
import type { TracedAnswer } from '../trace.ts';
import type { Due } from './run.ts';

/** What a trace says of an event: on a real API server too, oracles ask for the version of the object that it carried. */
export function tracedEventOf({ id, type, ref, delivery }: Due): TracedAnswer['event'] {
  return { id, type, ...(ref && { ref }), ...versionIn(delivery.body) };
}

function versionIn(body: Due['delivery']['body']): Partial<Pick<TracedAnswer['event'], 'version'>> {
  try {
    const { uid = '', resourceVersion = '' } = (JSON.parse(String(body)) as Partial<KubeObject>).metadata ?? {};
    return resourceVersion === '' ? {} : { version: `${uid} ${resourceVersion}` };
  } catch {
    return {};
  }
}
