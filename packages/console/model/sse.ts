/** One message of a stream of Server-Sent Events. */
export interface Sent {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

/** Takes pieces of a stream as they come and gives the messages that are whole. Comments, which keep a connection open, are left out; a place alone is a message without data. */
export function readerOfEvents(): (piece: string) => readonly Sent[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => messageIn(block) ?? []);
  };
}

function messageIn(block: string): Sent | undefined {
  let id: string | undefined;
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    // With `s`, for JSON leaves U+2028 and U+2029 as they are, which a dot is not else.
    const [, name, value = ''] = /^(id|event|data):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'id') id = value;
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }
  if (data.length === 0 && id === undefined) return undefined;
  return { ...(id !== undefined && { id }), event, data: data.join('\n') };
}
