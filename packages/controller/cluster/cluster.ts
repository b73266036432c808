import type { KnudgeError } from '../domain/errors.ts';
import type { Notice, Nudge } from '../domain/plan.ts';
import type { Reader } from '../domain/ports.ts';
import type { Cost, Round } from '../domain/rounds.ts';
import { applyObject } from './apply.ts';
import type { Transport } from './call.ts';
import type { Metered } from './counted.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import { writeFinalizers } from './finalizer.ts';
import { endRound, type KeptLease, keepRound, type LeaseName, readLease, takeLease } from './lease.ts';
import { nudgePods } from './nudge.ts';
import { type ListQuery, type PageRequest, readList, readPage } from './pages.ts';
import type { Page } from './parse.ts';
import { readMetadata, readObject } from './read.ts';
import { recordNotice } from './record.ts';
import { writeScale } from './scale.ts';
import { applyStatus } from './status.ts';
import { readTokenKeys } from './token-keys.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface ClusterOptions extends TransportOptions {
  /** Who reports Events: the name of the Pod or of the process. */
  readonly instance: string;
  /** Listed in the place of all namespaces; absent or empty: all. */
  readonly watchNamespace?: string;
  readonly onLostNotice: (error: KnudgeError, notice: Notice) => void;
  readonly onLostNudge?: (error: KnudgeError, nudge: Nudge) => void;
}

export interface Cluster extends Metered {
  /** Where the API server is: an IP address or a name, without a port. */
  readonly host: string;
  /** One page of a list, for work that is done page by page; `expired` when its token is too old. */
  page(query: ListQuery, request: PageRequest): Promise<Page>;
  /** Has a round be under way in the lease as it was read; fails with `conflict` if it is no longer that. */
  keepRound(lease: LeaseName, round: Round, version: string | undefined): Promise<void>;
  /** That round is through; of a whole one is kept when it began. */
  endRound(lease: LeaseName, round: Round, isWhole: boolean): Promise<Cost>;
  /** When the last whole round began, in milliseconds since 1970; undefined where none was kept. */
  renewed(lease: LeaseName): Promise<number | undefined>;
  /** The same time, the round that is under way, and who took the lease last and when. */
  kept(lease: LeaseName): Promise<KeptLease>;
  /** Takes the lease as it was read, now by the API server's clock; fails with `conflict` if it is no longer that. */
  take(lease: LeaseName, by: string, version: string | undefined): Promise<void>;
  /** The public keys of the tokens of ServiceAccounts. */
  tokenKeys(): Promise<readonly unknown[]>;
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
  const readerOver = (way: Transport): Reader => ({
    get: (ref) => readObject(way, ref),
    getMetadata: (ref) => readMetadata(way, ref),
    list: (query) => readList(way, within(query)),
  });
  return {
    ...readerOver(transport),
    host: new URL(options.access.server).hostname.replace(/^\[(.*)\]$/, '$1'),
    metered: (hear) => readerOver((call) => transport({ ...call, hear })),
    page: (query, request) => readPage(transport, within(query), request),
    create: (object) => createObject(transport, object),
    apply: (object, live, strays) => applyObject(transport, { object, live, strays }),
    delete: (ref, precondition, propagation) => deleteObject(transport, { ref, precondition, propagation }),
    scale: (ref, precondition, replicas) => writeScale(transport, { ref, precondition, replicas }),
    finalizers: (ref, precondition, finalizers) => writeFinalizers(transport, { ref, precondition, finalizers }),
    status: (ref, precondition, status) => applyStatus(transport, { ref, precondition, status }),
    notice: (about, notice) => recordNotice(transport, { about, notice }, { instance, now, onLost }),
    nudge: (nudge) => nudgePods(transport, nudge, onLostNudge),
    keepRound: (lease, round, version) => keepRound(transport, lease, { round, version }),
    endRound: (lease, round, isWhole) => endRound(transport, lease, { round, isWhole, now: now() }),
    renewed: async (lease) => (await readLease(transport, lease)).renewed,
    kept: (lease) => readLease(transport, lease),
    take: (lease, by, version) => takeLease(transport, lease, { by, version, at: now() }),
    tokenKeys: () => readTokenKeys(transport),
    now,
    close: () => transport.close(),
  };
}
