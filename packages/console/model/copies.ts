import type { RecordedEvent } from './types.ts';

/** An event as the command that sends it to a Broker again, in the binary mode of CloudEvents. */
export function curlOf(event: RecordedEvent, broker = '$BROKER'): string {
  const headers = Object.entries(headersOf(event)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = event.data === undefined ? [] : [`--data-binary ${quoted(JSON.stringify(event.data))}`];
  return [`curl -X POST ${broker.startsWith('$') ? `"${broker}"` : quoted(broker)}`, ...headers, ...body].join(
    ' \\\n  ',
  );
}

/** An event as test/fixtures has them. */
export function fixtureOf(event: RecordedEvent): string {
  return `${JSON.stringify({ headers: headersOf(event), body: event.data ?? null }, null, 2)}\n`;
}

function headersOf({ id, source, type, time, kind, namespace, name, extensions, data }: RecordedEvent) {
  const about = { kind, namespace, name };
  const attributes = { specversion: '1.0', id, source, type, time, ...about, ...extensions };
  const named = Object.entries(attributes).filter((row): row is [string, string] => row[1] !== undefined);
  return {
    ...Object.fromEntries(named.map(([key, value]) => [`ce-${key}`, value])),
    ...(data !== undefined && { 'content-type': 'application/json' }),
  };
}

/** For a shell: in single quotes, and those in it apart. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
