import { recorded, recordedNames, structured } from '../../build/event.ts';

/** A recorded event in both of its forms, ready to be damaged. */
export interface Recording {
  readonly name: string;
  /** Of the binary form; without those that say where a body ends. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** The whole event as one JSON object. */
  readonly envelope: Buffer;
}

/** Every recorded event. */
export function readRecordings(): readonly Recording[] {
  return recordedNames.map((name) => {
    const event = recorded(name);
    return { name, headers: Object.entries(event.headers), body: event.body, envelope: structured(event).body };
  });
}

/** The bytes of a POST; a damaged request keeps the two headers that are added here. */
export function requestOf(
  headers: readonly (readonly [name: string, value: string])[],
  body: Buffer,
  target = '/',
): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = `POST ${target} HTTP/1.1\r\nhost: function\r\ncontent-length: ${body.length}\r\n${lines}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}
