import { binary, type Case, headersOf, type Post, structured } from '../case.ts';

const json = { 'content-type': 'application/json' };
const body = '{"paid":true}';

/** An event, and what the one Trigger of its case gets of it. */
function taken(name: string, ...posts: readonly Post[]): Case {
  return { kind: 'broker', name, triggers: { fn: {} }, posts };
}

export const ingress: readonly Case[] = [
  taken('a binary event comes with its attributes, the time of its arrival and that a reply is welcome', binary()),
  taken('a structured event comes in binary mode', structured({ data: { paid: true } })),
  taken(
    'a structured event with a type of its data that is text',
    structured({ datacontenttype: 'text/plain', data: 'paid' }),
  ),
  taken('a structured event with bytes', structured({ datacontenttype: 'image/png', data_base64: 'AAECAw==' })),
  taken('a structured event without data', structured({})),
  taken(
    'a structured event with a charset in its content type',
    structured({ data: { paid: true } }, 'application/cloudevents+json; charset=utf-8'),
  ),
  taken('a structured event whose extensions are a number and a truth', structured({ count: 7, vip: true, data: {} })),
  taken('an event without data', { headers: headersOf() }),
  taken('an event with data and no type of it', { headers: headersOf(), body: 'paid' }),
  taken('subject, time and schema come through', {
    headers: {
      ...headersOf({ subject: 'cars/1', time: '2020-01-02T03:04:05.678Z', dataschema: 'http://schemas/paid' }),
      ...json,
    },
    body,
  }),
  taken('letters beyond ASCII, blanks and percent signs in attributes', {
    headers: { ...headersOf({ subject: 'gr%C3%BC%C3%9Fe%20an%20alle%2025%25' }), ...json },
    body,
  }),
  taken('extensions of others come through, an empty one too', binary({ kind: 'Pod', namespace: '', x1: '1' })),
  taken('headers beside the event: which are handed on', {
    headers: {
      ...headersOf(),
      ...json,
      'x-request-id': 'r-1',
      'knative-foo': 'foo',
      'kn-namespace': 'elsewhere',
      'x-custom': 'no',
      authorization: 'Basic no',
      prefer: 'no',
    },
    body,
  }),
  taken(
    'a time of arrival that the sender claims does not count',
    binary({ knativearrivaltime: '2020-01-01T00:00:00Z' }),
  ),
  taken('two events with one id are two events', binary(), binary()),
  taken('900 kB come through whole', {
    headers: { ...headersOf(), ...json },
    body: JSON.stringify({ text: 'x'.repeat(900_000) }),
  }),
  taken('an event that has one pass left is taken', binary({ knativebrokerttl: '2' })),
  taken('a count of passes that is no number', binary({ knativebrokerttl: 'many' })),
  taken('an event of the older specification 0.3', binary({ specversion: '0.3' })),
  { kind: 'broker', name: 'a Broker without a Trigger takes an event, and nobody gets it', own: {}, posts: [binary()] },
];
