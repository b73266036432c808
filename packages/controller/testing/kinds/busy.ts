import type { Action } from '../fault.ts';
import { always, every, type FaultKind, isRead, isWrite, seen } from './kind.ts';
import { refused } from './words.ts';

type Answer = Extract<Action, { do: 'answer' }>;

const throttled = (retryAfter: string | undefined) => (): Answer => ({
  do: 'answer',
  status: 429,
  reason: 'TooManyRequests',
  message: 'Too many requests, please try again later.',
  ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
});

/** The forms of Retry-After (RFC 9110, 10.2.3), and whether Knudge waits for that time within one call. */
const waits: readonly {
  readonly id: string;
  readonly says: string;
  readonly text?: string;
  readonly tooLong?: true;
}[] = [
  { id: 'seconds', says: 'and asks for a second of patience', text: '1' },
  { id: 'date', says: 'and names a date that has passed', text: 'Wed, 01 Jan 2025 00:00:00 GMT' },
  { id: 'date-ahead', says: 'and names a date in many years', text: 'Fri, 01 Jan 2100 00:00:00 GMT', tooLong: true },
  { id: 'huge', says: 'and asks for a month of patience', text: '2592000', tooLong: true },
  { id: 'absent', says: 'and does not say for how long' },
  { id: 'garbage', says: 'and says nonsense of how long', text: 'soon' },
];

const failures: readonly { readonly status: number; readonly says: string; readonly answer: () => Answer }[] = [
  {
    status: 500,
    says: 'a fault of the server',
    answer: () => ({
      do: 'answer',
      status: 500,
      reason: 'InternalError',
      message: 'Internal error occurred: etcdserver: leader changed',
    }),
  },
  {
    status: 502,
    says: 'a proxy that has lost the server, and answers in HTML',
    answer: () => ({
      do: 'answer',
      status: 502,
      contentType: 'text/html',
      body: '<html><body>Bad Gateway</body></html>',
    }),
  },
  {
    status: 503,
    says: 'a server that starts',
    answer: () => ({
      do: 'answer',
      status: 503,
      reason: 'ServiceUnavailable',
      message: 'the server is currently unable to handle the request',
      headers: { 'retry-after': '1' },
    }),
  },
  {
    status: 504,
    says: 'a slow store',
    answer: () => ({
      do: 'answer',
      status: 504,
      reason: 'Timeout',
      message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
    }),
  },
];

const unauthorized = refused(401, 'Unauthorized', 'Unauthorized');

/** The API server is there and does not do it now, or does it and says that it failed. */
export const busy: readonly FaultKind[] = [
  ...waits.map(
    ({ id, says, text, tooLong }): FaultKind => ({
      id: `W12-throttled-${id}`,
      says: `the server throttles ${says}`,
      when: 'before',
      appliesTo: every,
      action: throttled(text),
      sees: tooLong === true ? seen({ read: 'read-failed', write: 'put-off' }) : always('nothing'),
    }),
  ),
  {
    id: 'W12-throttled-on',
    says: 'the server throttles until it is lifted',
    when: 'before',
    appliesTo: every,
    action: throttled(undefined),
    times: 'on',
    sees: seen({ read: 'read-failed', write: 'put-off' }),
  },
  ...failures.flatMap(({ status, says, answer }): FaultKind[] => [
    {
      id: `W13-${status}`,
      says: `${says}: nothing is done; a read is tried again at once`,
      when: 'before',
      appliesTo: every,
      action: answer,
      sees: seen({ read: 'nothing', write: 'unknown-undone' }),
    },
    {
      id: `W13-${status}-twice`,
      says: `${says}, also when the read is tried again`,
      when: 'before',
      appliesTo: isRead,
      action: answer,
      times: 2,
      sees: always('read-failed'),
    },
    {
      id: `W14-${status}`,
      says: `${says}: it says that it failed and has done it`,
      when: 'after',
      appliesTo: isWrite,
      action: answer,
      sees: seen({ read: 'nothing', write: 'unknown-done' }),
    },
    {
      id: `W13-${status}-on`,
      says: `${says}, until it is lifted`,
      when: 'before',
      appliesTo: every,
      action: answer,
      times: 'on',
      sees: seen({ read: 'read-failed', write: 'unknown-undone' }),
    },
  ]),
  {
    id: 'W15-unauthorized',
    says: 'the token has just been changed',
    when: 'before',
    appliesTo: every,
    action: unauthorized,
    sees: always('nothing'),
  },
  {
    id: 'W15-unauthorized-on',
    says: 'the token is not valid until it is lifted',
    when: 'before',
    appliesTo: every,
    action: unauthorized,
    times: 'on',
    sees: seen({ read: 'read-failed', write: 'put-off' }),
  },
];
