import { type BrokerCase, binary, type Case, headersOf, type Post, structured } from '../case.ts';

const json = { 'content-type': 'application/json' };

/** What the ingress says to it; the Trigger of the case wants everything and shows what came through. */
function said(name: string, ...posts: readonly Post[]): BrokerCase {
  return { kind: 'broker', name, triggers: { fn: {} }, whole: [], posts };
}

export const refused: readonly Case[] = [
  said('a request that is no event', { headers: json, body: '{}' }),
  said('an event without an id', binary({ id: undefined })),
  said('an event without a type', binary({ type: undefined })),
  said('an event without a source', binary({ source: undefined })),
  said('an event without a version of the specification', binary({ specversion: undefined })),
  said('an event with an empty id', binary({ id: '' })),
  said('an event with an empty type', binary({ type: '' })),
  said('an event of a specification that is not there yet', binary({ specversion: '2.0' })),
  said('an event whose time is no time', binary({ time: 'yesterday' })),
  said('an event whose schema is no address', binary({ dataschema: '::no' })),
  said('an event whose schema is empty', binary({ dataschema: '' })),
  said('an extension with a hyphen in its name', {
    headers: { ...headersOf(), ...json, 'ce-my-ext': '1' },
    body: '{}',
  }),
  said('an extension with an underscore in its name', {
    headers: { ...headersOf(), ...json, 'ce-my_ext': '1' },
    body: '{}',
  }),
  said('an extension with a long name', {
    headers: { ...headersOf(), ...json, 'ce-anextensionwithaverylongname': '1' },
    body: '{}',
  }),
  said('a structured event that is no JSON', {
    headers: { 'content-type': 'application/cloudevents+json' },
    body: 'no',
  }),
  said('a structured event without an id', structured({ id: undefined })),
  said('a structured event whose id is a number', structured({ id: 7 })),
  said('a structured event whose extension is an object', structured({ odd: { a: 1 } })),
  { ...said('a structured event with a name in capitals', structured({ Odd: '1' })), whole: ['fn'] },
  said('a batch', {
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: '[{"specversion":"1.0","id":"e-1","type":"shop.sold","source":"/till"}]',
  }),
  said('an event without a pass left', binary({ knativebrokerttl: '0' })),
  said('an event with its last pass', binary({ knativebrokerttl: '1' })),
  said('an event with less than no pass left', binary({ knativebrokerttl: '-1' })),
  said('a Broker that is not there', { ...binary(), path: '/{ns}/nothing' }),
  said('a namespace that is not there', { ...binary(), path: '/nowhere/{broker}' }),
  said('the root', { ...binary(), path: '/' }),
  said('a path of one part', { ...binary(), path: '/{ns}' }),
  said('a path of three parts', { ...binary(), path: '/{ns}/{broker}/more' }),
  said('a path with a slash at its end', { ...binary(), path: '/{ns}/{broker}/' }),
  said('a path with a query', { ...binary(), path: '/{ns}/{broker}?a=1' }),
  said('no event to a Broker that is not there', { headers: json, body: '{}', path: '/{ns}/nothing' }),
  said('GET', { headers: {}, method: 'GET' }),
  said('PUT', { ...binary(), method: 'PUT' }),
  said('OPTIONS', { headers: {}, method: 'OPTIONS' }),
];
