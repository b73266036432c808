import { binary, type Case, deadLetterSink, headersOf, quick } from '../case.ts';

const sold = [{ exact: { type: 'shop.sold' } }];
const paid = [{ exact: { type: 'shop.paid' } }];
const body = '{"change":3}';
const reply = {
  status: 200,
  headers: { ...headersOf({ id: 'r-1', type: 'shop.paid', source: '/fn' }), 'content-type': 'application/json' },
  body,
};
const { case: _, ...none } = { case: '' };
const structuredReply = {
  status: 200,
  headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
  body: '{"specversion":"1.0","id":"r-1","type":"shop.paid","source":"/fn","case":"{case}","scene":"{scene}","data":{"change":3}}',
};
const triggers = {
  fn: { filters: sold, delivery: quick },
  next: { filters: paid, delivery: quick },
} as const;

export const replies: readonly Case[] = [
  {
    kind: 'broker',
    name: 'a reply goes through the Broker to the Trigger that wants it',
    triggers,
    whole: ['next'],
    ordered: true,
    answers: { fn: [reply] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a structured reply comes in binary mode',
    triggers,
    whole: ['next'],
    answers: { fn: [structuredReply] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a reply may come with 202',
    triggers,
    whole: ['next'],
    answers: { fn: [{ ...reply, status: 202 }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a reply without data',
    triggers,
    whole: ['next'],
    answers: { fn: [{ status: 200, headers: headersOf({ id: 'r-1', type: 'shop.paid', source: '/fn' }) }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a reply of 900 kB',
    triggers,
    whole: ['next'],
    answers: { fn: [{ ...reply, body: JSON.stringify({ text: 'z'.repeat(900_000) }) }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a reply has the passes of the event that it answers, less one',
    triggers: { ...triggers, next: { filters: paid, delivery: { deadLetterSink } } },
    whole: ['dead'],
    answers: { fn: [reply], next: [{ status: 400 }] },
    posts: [binary({ knativebrokerttl: '9' })],
  },
  {
    kind: 'broker',
    name: 'a reply that claims passes of its own',
    triggers: { ...triggers, next: { filters: paid, delivery: { deadLetterSink } } },
    whole: ['dead'],
    answers: {
      fn: [{ ...reply, headers: { ...reply.headers, 'ce-knativebrokerttl': '77' } }],
      next: [{ status: 400 }],
    },
    posts: [binary({ knativebrokerttl: '9' })],
  },
  {
    kind: 'broker',
    name: 'a reply that its own Trigger wants goes round until no pass is left, then it is a dead letter',
    triggers: { fn: { delivery: { deadLetterSink } } },
    whole: ['dead'],
    answers: { fn: [reply] },
    posts: [binary({ knativebrokerttl: '5' })],
  },
  {
    kind: 'broker',
    name: 'a reply without a type is no event',
    triggers,
    whole: ['dead'],
    answers: { fn: [{ ...reply, headers: { ...headersOf({ ...none, id: 'r-1', type: undefined }) } }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a structured reply that is no JSON',
    triggers,
    whole: ['dead'],
    answers: { fn: [{ ...structuredReply, body: 'no' }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a reply that nobody can take is sent again, then the event that it answers is a dead letter',
    triggers: { fn: { filters: sold, delivery: quick }, next: { filters: paid, delivery: { retry: 0 } } },
    whole: ['dead'],
    answers: { fn: [reply], next: [{ status: 400 }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'an error with the headers of an event is no reply',
    triggers,
    whole: ['dead'],
    answers: { fn: [{ ...reply, status: 400 }] },
    posts: [binary()],
  },
];
