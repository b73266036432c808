import type { KnudgeError } from '../domain/errors.ts';
import type { Notice, Nudge } from '../domain/plan.ts';
import type { Reader, Trial, Writer } from '../domain/ports.ts';
import type { Cost, Round } from '../domain/rounds.ts';
import { applyObject } from './apply.ts';
import type { Transport } from './call.ts';
import type { Metered } from './counted.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import { writeFinalizers } from './finalizer.ts';
import { hearing } from './heard.ts';
import { endRound, type KeptLease, keepRound, type LeaseName, readLease, takeLease } from './lease.ts';
import { nudgePods } from './nudge.ts';
import { type ListQuery, type PageRequest, readList, readPage } from './pages.ts';
import type { Page } from './parse.ts';
import { readMetadata, readObject } from './read.ts';
import { recordNotice } from './record.ts';
import { writeScale } from './scale.ts';
import { applyStatus } from './status.ts';
import { readTokenKeys } from './token-keys.ts';
import { tracing } from './traced.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface ClusterOptions extends TransportOptions {
  /** The name of the Pod or the process that reports Events. */
  readonly instance: string;
  /** Listed in place of all namespaces; absent or empty: all. */
  readonly watchNamespace?: string;
  readonly onLostNotice: (error: KnudgeError, notice: Notice) => void;
  readonly onLostNudge?: (error: KnudgeError, nudge: Nudge) => void;
}

export interface Cluster extends Metered {
  trial(insist: () => void): Promise<Trial>;
  /** Where the API server is: an IP address or a name, without a port. */
  readonly host: string;
  /** One page of a list, for work that is done page by page; `expired` if its token is too old. */
  page(query: ListQuery, request: PageRequest): Promise<Page>;
  /** Writes that a round is under way, over the Lease as it was read; fails with `conflict` if the Lease has changed. */
  keepRound(lease: LeaseName, round: Round, version: string | undefined): Promise<void>;
  /** Ends that round; of a whole one it keeps the time when it began. */
  endRound(lease: LeaseName, round: Round, isWhole: boolean): Promise<Cost>;
  /** When the last whole round began, in milliseconds since 1970; undefined if none was kept. */
  renewed(lease: LeaseName): Promise<number | undefined>;
  /** The same time, the round that is under way, and the last taker of the Lease with its time. */
  kept(lease: LeaseName): Promise<KeptLease>;
  /** Takes the Lease as it was read, at the API server's time; fails with `conflict` if the Lease has changed. */
  take(lease: LeaseName, by: string, version: string | undefined): Promise<void>;
  /** The public keys that sign the tokens of ServiceAccounts. */
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
  const writerOver = (way: Transport): Writer => ({
    create: (object) => createObject(way, object),
    apply: (object, live, strays) => applyObject(way, { object, live, strays }),
    delete: (ref, precondition, propagation) => deleteObject(way, { ref, precondition, propagation }),
    scale: (ref, precondition, replicas) => writeScale(way, { ref, precondition, replicas }),
    finalizers: (ref, precondition, finalizers) => writeFinalizers(way, { ref, precondition, finalizers }),
    status: (ref, precondition, status) => applyStatus(way, { ref, precondition, status }),
    notice: (about, notice) => recordNotice(way, { about, notice }, { instance, now, onLost }),
    nudge: (nudge) => nudgePods(way, nudge, onLostNudge),
  });
  const portsOver = (way: Transport): Metered & Pick<Cluster, 'trial'> => ({
    ...readerOver(way),
    ...writerOver(way),
    metered: (hear) => readerOver((call) => way({ ...call, hear })),
    // An Event for people is no object that an event comes of.
    heard: (hear) => ({ ...writerOver(hearing(way, hear)), notice: writerOver(way).notice }),
    trial: async (insist) => (await import('./trial.ts')).trialOver(way, insist),
  });
  return {
    ...portsOver(transport),
    traced: (by) => portsOver(tracing(transport, by)),
    host: new URL(options.access.server).hostname.replace(/^\[(.*)\]$/, '$1'),
    page: (query, request) => readPage(transport, within(query), request),
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
