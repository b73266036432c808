import { recorded } from '../../test/build/event.ts';
import type { Contestants } from '../contestants.ts';
import { bytesOf, requestOf } from '../request.ts';

/** Connections at a time: about as many as a Broker keeps open to one function. */
export const connections = 16;

/** A server that is awake, and what it is asked. */
export interface Contestant {
  readonly name: string;
  readonly args: readonly string[];
  readonly requests: readonly Buffer[];
  readonly expected: string;
  /** Events in one round. */
  readonly total: number;
  readonly goal?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** What all others are compared with. */
export const bare = 'node:http, bare';
/** The Service that a Pod's event wakes. */
export const service = 'distributed-service';
const noOp = 'a Message that is as it should be';
const messageReads = 2;

/** Each server of the bench; those that report or trace send it to `sink`. */
export function contestants({ plain, cached }: Contestants, sink: string): readonly Contestant[] {
  const pods = podEvents();
  const below = podEvents({ traceparent });
  const messages = Array.from({ length: connections }, (_, index) => messageEvent(`m${String(index)}`));
  const nobody = 'ignored; reads=0; writes=0';
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: sink };
  const unchanged = `done; reads=${String(messageReads)}; writes=0`;
  return [
    { name: bare, args: plain('bare'), requests: pods, expected: '204', total: 2000 },
    {
      name: 'an unrelated Pod',
      args: cached(service),
      requests: pods,
      expected: nobody,
      total: 2000,
      goal: 2.5,
    },
    {
      name: 'the Pod, reported in a header',
      args: cached(service),
      requests: pods,
      expected: nobody,
      total: 2000,
      env: { REPORT_DELIVERIES: 'header' },
    },
    {
      name: 'the Pod, reported by event',
      args: cached(service),
      requests: pods,
      expected: nobody,
      total: 2000,
      env: { REPORT_DELIVERIES: 'event', K_SINK: sink },
    },
    {
      name: 'the Pod, traced',
      args: cached(service),
      requests: pods,
      expected: nobody,
      total: 2000,
      goal: 2.5,
      env: traced,
    },
    {
      name: 'the Pod, below a traced hop',
      args: cached(service),
      requests: below,
      expected: nobody,
      total: 2000,
      env: traced,
    },
    { name: noOp, args: cached('message-changed'), requests: messages, expected: unchanged, total: 400 },
    {
      name: 'the Message, traced',
      args: cached('message-changed'),
      requests: messages,
      expected: unchanged,
      total: 400,
      env: traced,
    },
    { name: 'express 5, bare', args: cached('express'), requests: pods, expected: '204', total: 2000 },
    {
      name: 'the Pod, behind express 5',
      args: cached('behind-express'),
      requests: pods,
      expected: nobody,
      total: 2000,
    },
  ];
}

/** What a hop sends that records the event. */
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** One event of a Pod for each connection. */
function podEvents(headers: Readonly<Record<string, string>> = {}): readonly Buffer[] {
  return Array.from({ length: connections }, () => requestOf('pod-changed/pod-add', '/pod-changed', headers));
}

/** One Message for each connection: events of the same Message would share their reconciles. */
function messageEvent(name: string): Buffer {
  const { headers, body } = recorded('message-changed/message-add', { 'ce-name': name, 'ce-namespace': 'bench' });
  const message = JSON.parse(body.toString()) as { metadata: object };
  const renamed = { ...message, metadata: { ...message.metadata, name, namespace: 'bench' } };
  return bytesOf(headers, Buffer.from(JSON.stringify(renamed)));
}
