import { binary, type Case, deadLetterSink, headersOf, quick, structured } from '../case.ts';

const refuses = [{ status: 400, body: 'no' }] as const;
const one = { retry: 1, backoffPolicy: 'linear', backoffDelay: 'PT0.1S', deadLetterSink } as const;

export const deadLetters: readonly Case[] = [
  {
    kind: 'broker',
    name: 'a dead letter of a structured event is in binary mode',
    triggers: { fn: { delivery: quick } },
    whole: ['dead'],
    answers: { fn: refuses },
    posts: [structured({ subject: 'cars/1', data: { paid: true } })],
  },
  {
    kind: 'broker',
    name: 'a dead letter of an event that was one before',
    triggers: { fn: { delivery: quick } },
    whole: ['dead'],
    answers: { fn: refuses },
    posts: [binary({ knativeerrorcode: '503', knativeerrordest: 'http://before', knativeerrordata: 'YmVmb3Jl' })],
  },
  {
    kind: 'broker',
    name: 'a dead letter of 900 kB',
    triggers: { fn: { delivery: quick } },
    whole: ['dead'],
    answers: { fn: refuses },
    posts: [
      {
        headers: { ...headersOf(), 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'y'.repeat(900_000) }),
      },
    ],
  },
  {
    kind: 'broker',
    name: 'a dead letter has the passes of its event',
    triggers: { fn: { delivery: quick } },
    whole: ['dead'],
    answers: { fn: refuses },
    posts: [binary({ knativebrokerttl: '9' })],
  },
  {
    kind: 'broker',
    name: 'a dead-letter sink that fails is asked again, then the ingress says 500',
    triggers: { fn: { delivery: one } },
    whole: [],
    answers: { fn: refuses, dead: [{ status: 503 }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a dead-letter sink that fails once takes the letter then',
    triggers: { fn: { delivery: one } },
    whole: [],
    answers: { fn: refuses, dead: [{ status: 503 }, { status: 202 }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a dead-letter sink that refuses is asked once',
    triggers: { fn: { delivery: one } },
    whole: [],
    answers: { fn: refuses, dead: [{ status: 400 }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a dead-letter sink may answer with a text',
    triggers: { fn: { delivery: one } },
    whole: [],
    answers: { fn: refuses, dead: [{ status: 200, body: 'OK' }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'nobody at the address of the dead-letter sink',
    triggers: { fn: { delivery: { ...one, deadLetterSink: { uri: '{nobody}/dead' } } } },
    whole: [],
    answers: { fn: refuses },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'what a dead-letter sink replies goes nowhere',
    triggers: { fn: { filters: [{ exact: { type: 'shop.sold' } }], delivery: one }, next: {} },
    whole: [],
    answers: {
      fn: refuses,
      dead: [
        {
          status: 200,
          headers: { ...headersOf({ type: 'shop.paid', id: 'r-1' }), 'content-type': 'application/json' },
          body: '{}',
        },
      ],
    },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a Trigger without a delivery has that of its Broker',
    own: { delivery: one },
    triggers: { fn: {} },
    whole: ['dead'],
    answers: { fn: [{ status: 503 }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a Trigger with retries of its own has no other part of the delivery of its Broker than the dead-letter sink',
    own: { delivery: { ...one, backoffDelay: 'PT3S' } },
    triggers: { fn: { delivery: { retry: 2 } } },
    whole: [],
    timed: true,
    answers: { fn: [{ status: 503 }] },
    posts: [binary()],
  },
  {
    kind: 'broker',
    name: 'a Trigger with a dead-letter sink of its own does not use that of its Broker',
    own: { delivery: { ...one, deadLetterSink: { uri: '{receiver}/scene/broker' } } },
    triggers: { fn: { delivery: { deadLetterSink } } },
    whole: [],
    answers: { fn: [{ status: 503 }] },
    posts: [binary()],
  },
];
