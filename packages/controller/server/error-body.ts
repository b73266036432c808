/**
 * The longest body of an error, in bytes. Above 768 the dispatcher of Knative's in-memory channel panics while it
 * encodes the body for the dead letter, and takes every event in flight with it.
 */
export const longestErrorBody = 512;

const ellipsis = '…';

/**
 * `{"code","message"}` as JSON of at most 512 bytes. The message is cut where needed, between characters; `code` is
 * one of the table's and short.
 */
export function errorBody(code: string, message: string): string {
  // A character is at least one byte, so what lies further back cannot fit; this also bounds the work below.
  const candidate = message.length > longestErrorBody ? undefined : JSON.stringify({ code, message });
  if (candidate !== undefined && Buffer.byteLength(candidate) <= longestErrorBody) return candidate;
  const room = longestErrorBody - Buffer.byteLength(JSON.stringify({ code, message: ellipsis }));
  return JSON.stringify({ code, message: `${prefixOf(message, room)}${ellipsis}` });
}

/** The longest beginning whose JSON form takes at most this many bytes. */
function prefixOf(message: string, room: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of message) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (bytes > room) break;
    end += character.length;
  }
  return message.slice(0, end);
}
