import type { Recording } from './recordings.ts';

/** What belongs to one delivery, or to one cluster; in the order in which it is replaced. */
const marks: readonly (readonly [found: RegExp, mark: string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '(id)'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '(time)'],
  [/(?:containerd:\/\/|sha256:)[0-9a-f]{64}/g, '(digest)'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '(address)'],
  [/"resourceVersion":"\d+"/g, '"resourceVersion":"(version)"'],
  [/"deployment\.kubernetes\.io\/revision":"\d+"/g, '"deployment.kubernetes.io/revision":"(version)"'],
  // A name that was drawn.
  [/\b(kube-api-access|web(?:-[0-9a-f]{8,10})?)-[a-z0-9]{5}\b/g, '$1-(name)'],
];

/** Of the request itself; the length follows from the ids and times within. */
const ofOneDelivery = new Set(['host', 'content-length', 'user-agent']);

/** A recording without id, time, host and versions, and what follows from these. */
export function masked({ headers, body }: Recording): unknown {
  const kept = Object.entries(headers).filter(([name]) => !ofOneDelivery.has(name));
  const text = JSON.stringify({ headers: Object.fromEntries(kept), body });
  const found = JSON.parse(marks.reduce((before, [pattern, mark]) => before.replaceAll(pattern, mark), text)) as {
    readonly body?: {
      kind?: string;
      metadata?: { generation?: number; managedFields?: readonly unknown[] };
      status?: { recentWrites?: unknown };
    };
  };
  const metadata = found.body?.metadata;
  // Entries of one second have no order.
  if (metadata?.managedFields) metadata.managedFields = sorted(metadata.managedFields);
  // Its controller writes as often as it finds something new.
  if (found.body?.kind === 'EndpointSlice' && metadata) delete metadata.generation;
  // Which of two instances wrote first is not the same in every run.
  if (found.body?.status) delete found.body.status.recentWrites;
  return found;
}

function sorted(entries: readonly unknown[]): readonly unknown[] {
  return [...entries].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}
