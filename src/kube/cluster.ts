import type { KnudgeError } from '../domain/errors.ts';
import type { Notice, Nudge } from '../domain/plan.ts';
import type { Reader, Writer } from '../domain/ports.ts';
import { applyObject } from './apply.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import { writeFinalizers } from './finalizer.ts';
import { type LeaseName, renewedAt, renewLease } from './lease.ts';
import { nudgePods } from './nudge.ts';
import { type ListQuery, type PageRequest, readList, readPage } from './pages.ts';
import type { Page } from './parse.ts';
import { readMetadata, readObject } from './read.ts';
import { recordNotice } from './record.ts';
import { writeScale } from './scale.ts';
import { applyStatus } from './status.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface ClusterOptions extends TransportOptions {
  /** Who reports Events: the name of the Pod or of the process. */
  readonly instance: string;
  /** Listed in the place of all namespaces; absent or empty: all. */
  readonly watchNamespace?: string;
  readonly onLostNotice: (error: KnudgeError, notice: Notice) => void;
  readonly onLostNudge?: (error: KnudgeError, nudge: Nudge) => void;
}

export interface Cluster extends Reader, Writer {
  /** Where the API server is: an IP address or a name, without a port. */
  readonly host: string;
  /** One page of a list, for work that is done page by page; `expired` when its token is too old. */
  page(query: ListQuery, request: PageRequest): Promise<Page>;
  /** Keeps a time (RFC 3339) where every instance sees it. */
  renew(lease: LeaseName, time: string): Promise<void>;
  /** That time in milliseconds since 1970; undefined where none was kept. */
  renewed(lease: LeaseName): Promise<number | undefined>;
  /** Milliseconds since 1970, by the API server's clock as far as it is known. */
  now(): number;
  /** Closes idle connections. */
  close(): void;
}

/** The cluster behind an API server. */
export function createCluster(options: ClusterOptions): Cluster {
  const transport = createTransport(options);
  const { instance, onLostNotice: onLost, onLostNudge = () => {} } = options;
  const { now } = transport;
  const within = (query: ListQuery): ListQuery =>
    query.namespace === '' ? { ...query, namespace: options.watchNamespace ?? '' } : query;
  return {
    host: new URL(options.access.server).hostname.replace(/^\[(.*)\]$/, '$1'),
    get: (ref) => readObject(transport, ref),
    getMetadata: (ref) => readMetadata(transport, ref),
    list: (query) => readList(transport, within(query)),
    page: (query, request) => readPage(transport, within(query), request),
    create: (object) => createObject(transport, object),
    apply: (object, live) => applyObject(transport, object, live),
    delete: (ref, precondition, propagation) => deleteObject(transport, { ref, precondition, propagation }),
    scale: (ref, precondition, replicas) => writeScale(transport, { ref, precondition, replicas }),
    finalizers: (ref, precondition, finalizers) => writeFinalizers(transport, { ref, precondition, finalizers }),
    status: (ref, precondition, status) => applyStatus(transport, { ref, precondition, status }),
    notice: (about, notice) => recordNotice(transport, { about, notice }, { instance, now, onLost }),
    nudge: (nudge) => nudgePods(transport, nudge, onLostNudge),
    renew: (lease, time) => renewLease(transport, lease, time),
    renewed: (lease) => renewedAt(transport, lease),
    now,
    close: () => transport.close(),
  };
}
