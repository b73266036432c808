import type { TestContext } from 'node:test';
import { until } from '../../../../test/kube/until.ts';

export interface StreamItem {
  readonly name: string;
  readonly id: string;
  readonly data: unknown;
}

/** Reads Server-Sent Events, as a browser does. */
export async function openStream(context: TestContext, url: string, headers: Readonly<Record<string, string>> = {}) {
  const stop = new AbortController();
  context.after(() => stop.abort());
  const answer = await fetch(url, { headers, signal: stop.signal });
  let [text, taken] = ['', 0];
  const read = async (): Promise<void> => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  const ended = read().catch(() => undefined);
  const blocks = (): readonly string[] => text.split('\n\n').slice(0, -1);
  const items = (): readonly StreamItem[] =>
    blocks()
      .filter((one) => /^data: /m.test(one))
      .map(itemOf);
  const holds = (what: () => boolean) => until(`the stream is so far: ${url}`, async () => what() || text.slice(-300));
  return {
    status: answer.status,
    headers: answer.headers,
    ended,
    text: () => text,
    until: holds,
    /** The last id, also of a block without data. */
    place: () => /^id: (.*)$/m.exec(blocks().at(-1) ?? '')?.[1],
    take: async (count: number): Promise<readonly StreamItem[]> => {
      await holds(() => items().length >= taken + count);
      taken += count;
      return items().slice(taken - count, taken);
    },
    close: () => stop.abort(),
  };
}

function itemOf(block: string): StreamItem {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  return { name: field('event'), id: field('id'), data: JSON.parse(field('data')) };
}
