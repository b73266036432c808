import { type Answer, binary, type Case, quick } from '../case.ts';

/** What follows on an answer: how often it is asked, what the ingress says, the dead letter. */
function answered(name: string, ...script: readonly Answer[]): Case {
  return {
    kind: 'broker',
    name,
    triggers: { fn: { delivery: quick } },
    whole: ['dead'],
    answers: { fn: script },
    posts: [binary()],
  };
}

const statuses = [
  200, 201, 202, 204, 300, 301, 304, 400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 418, 422, 425, 429, 500, 501,
  502, 503, 504, 599,
];
const location = { location: '{receiver}/scene/other' };

export const status: readonly Case[] = [
  ...statuses.map((code) => answered(`${code} with no body`, { status: code })),
  answered('307 to another address', { status: 307, headers: location }),
  answered('400 with a reason', { status: 400, body: 'the till is closed' }),
  answered('500 with a reason', { status: 500, body: 'the till is on fire' }),
  answered('500 with a reason of 512 letters', { status: 500, body: 'x'.repeat(512) }),
  answered('500 with a reason of 768 letters', { status: 500, body: 'x'.repeat(768) }),
  answered('400 with bytes that are no text', { status: 400, body: Buffer.from([0, 1, 254, 255]) }),
  answered('400 with a reason in JSON', {
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: '{"why":"closed"}',
  }),
  answered('200 with a text', { status: 200, body: 'OK' }),
  answered('200 with JSON that is no event', {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"ok":true}',
  }),
  answered('202 with a text', { status: 202, body: 'OK' }),
  answered('204 with headers of an event', {
    status: 204,
    headers: { 'ce-specversion': '1.0', 'ce-id': 'r-1', 'ce-type': 'shop.paid', 'ce-source': '/fn' },
  }),
  answered('503 twice, then 202', { status: 503 }, { status: 503 }, { status: 202 }),
  answered('503 with Retry-After, then 202', { status: 503, headers: { 'retry-after': '5' } }, { status: 202 }),
  answered('429 with Retry-After, then 202', { status: 429, headers: { 'retry-after': '5' } }, { status: 202 }),
  answered('503, then 400', { status: 503, body: 'later' }, { status: 400, body: 'never' }),
  answered('a connection that is cut', { status: 0, instead: 'cut' }),
  answered('a connection that is cut, then 202', { status: 0, instead: 'cut' }, { status: 202 }),
];
