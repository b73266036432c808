import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Arrived } from './network.ts';

/** An event that the Broker has taken. */
export interface Told {
  /** Which source sent it. */
  readonly life: number;
  readonly at: number;
  readonly verb: string;
  readonly kind: string;
  readonly place: string;
  readonly uid: string;
  readonly version: number;
  /** Absent where the event has names alone. */
  readonly object: KubeObject | undefined;
  /** The source never learned that it was taken. */
  readonly isUnheard: boolean;
}

/** What the Broker does with an event, besides taking it and saying so. */
export interface SinkFault {
  readonly takes: boolean;
  readonly answers: 'reset' | 'hang' | { readonly status: number };
}

export interface SinkWith {
  readonly now: () => number;
  readonly after: (ms: number, task: () => void) => void;
  /** From 0 to less than 1. */
  readonly chance: () => number;
  readonly lifeOf: (port: number) => number;
  /** Called before an event is taken. What it gives says how it goes; `taken` is called in between. */
  readonly on: (what: string, port: number) => SinkFault | undefined;
  /** Called when an event was taken and before that is said. */
  readonly taken: (port: number) => void;
}

/** The longest that it takes the Broker to answer. */
export const slowestMs = 40;

/** A Broker that keeps what it takes. */
export function createSink({ now, after, chance, lifeOf, on, taken }: SinkWith) {
  const told: Told[] = [];
  const take = (arrived: Arrived, isUnheard: boolean): void => {
    const [uid = '', version = '', verb = ''] = String(arrived.headers['ce-id']).split('-');
    const { 'ce-kind': kind = '', 'ce-namespace': namespace = '', 'ce-name': name = '' } = arrived.headers;
    const body = JSON.parse(arrived.body) as KubeObject | { readonly metadata?: undefined };
    const object = body.metadata === undefined ? undefined : body;
    const place = `${String(namespace)}/${String(name)}`;
    const one = {
      life: lifeOf(arrived.port),
      at: now(),
      verb,
      kind: String(kind),
      place,
      uid,
      version: Number(version),
    };
    told.push({ ...one, object, isUnheard });
  };
  return {
    told,
    answer: (arrived: Arrived): void => {
      const { port, headers, response } = arrived;
      const ms = 1 + Math.floor(chance() * slowestMs);
      const fault = on(`${String(headers['ce-kind'])} ${String(headers['ce-id'])}`, port);
      if (fault?.takes !== false) {
        take(arrived, fault !== undefined);
        taken(port);
      }
      const answers = fault?.answers ?? { status: 202 };
      if (answers === 'hang') return;
      after(ms, () => {
        if (answers === 'reset') response.destroy();
        else response.writeHead(answers.status).end();
      });
    },
  };
}
