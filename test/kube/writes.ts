import assert from 'node:assert/strict';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** A write of Knudge that the log of the API server knows of. */
export interface AuditedWrite {
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339. */
  readonly at: string;
  readonly code: number;
}

interface Line {
  readonly stage: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: Partial<Pick<AuditedWrite, 'resource' | 'subresource' | 'namespace' | 'name'>>;
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
}

/** Where the log of the API server ends now. */
export function auditMark(): number {
  return statSync(pathOfLog()).size;
}

const accounts = 'system:serviceaccount:knudge:';
/** Most of the log, and what was only tried: what is not parsed costs the events of the test no time. */
const reading = /"verb":"(get|list|watch)"|"requestURI":"[^"]*dryRun=All"/;
const verbs = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** Whether somebody who runs as a function of the cluster asks. */
const isOfFunctions = ({ user }: Line): boolean => user.username.startsWith(accounts);

/** Whether a function asks, in whatever account it runs. */
export const isOfKnudge = ({ userAgent = '' }: Line): boolean => userAgent.startsWith('knudge/');

/** Every write of a function since then, whatever became of it; the Lease of the resync apart. */
export function writesSince(mark: number, isWanted = isOfFunctions): readonly AuditedWrite[] {
  return textSince(mark)
    .split('\n')
    .filter((line) => line.includes('knudge') && !reading.test(line) && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.stage === 'ResponseComplete' && isWanted(line))
    .filter(({ verb, objectRef }) => verbs.includes(verb) && objectRef?.resource !== 'leases')
    .map(({ verb, objectRef: ref = {}, requestReceivedTimestamp: at, responseStatus }) => ({
      verb,
      resource: ref.resource ?? '',
      subresource: ref.subresource,
      namespace: ref.namespace ?? '',
      name: ref.name ?? '',
      at,
      code: responseStatus?.code ?? 0,
    }));
}

function textSince(mark: number): string {
  const bytes = Buffer.alloc(auditMark() - mark);
  const file = openSync(pathOfLog(), 'r');
  try {
    const length = readSync(file, bytes, 0, bytes.length, mark);
    return bytes.subarray(0, length).toString();
  } finally {
    closeSync(file);
  }
}

function pathOfLog(): string {
  const path = process.env['KNUDGE_TEST_AUDIT_LOG'];
  assert.ok(
    path,
    'KNUDGE_TEST_AUDIT_LOG is not set: this test needs the log of the API server, so use `npm run test:kube`',
  );
  return path;
}
