import type { Case } from '../case.ts';

const eachSecond = '* * * * * *';

export const pings: readonly Case[] = [
  { kind: 'ping', name: 'without data', spec: { schedule: eachSecond } },
  {
    kind: 'ping',
    name: 'with JSON',
    spec: { schedule: eachSecond, contentType: 'application/json', data: '{ "due": true }' },
  },
  { kind: 'ping', name: 'with a text', spec: { schedule: eachSecond, contentType: 'text/plain', data: 'due' } },
  {
    kind: 'ping',
    name: 'with bytes',
    spec: { schedule: eachSecond, contentType: 'image/png', dataBase64: 'AAECAw==' },
  },
  { kind: 'ping', name: 'with data and no type of it', spec: { schedule: eachSecond, data: 'due' } },
  {
    kind: 'ping',
    name: 'with the time zone UTC and an extension',
    spec: { schedule: eachSecond, timezone: 'UTC', ceOverrides: { extensions: { site: 'north' } } },
  },
];
