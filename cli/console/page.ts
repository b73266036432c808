import { InvalidArgumentError } from 'commander';

/** What may follow the name of a page: packages/console/pages/app.ts has the pages. */
const pages: Readonly<Record<string, { readonly parts: readonly number[]; readonly shown: string }>> = {
  events: { parts: [0, 1], shown: 'events, events/129' },
  'dead-letters': { parts: [0], shown: 'dead-letters' },
  replay: { parts: [0], shown: 'replay' },
  doctor: { parts: [0], shown: 'doctor' },
  resync: { parts: [0], shown: 'resync' },
  functions: { parts: [0], shown: 'functions' },
  objects: { parts: [3], shown: 'objects/Message/default/hello, objects/Node/-/one' },
};

export const pageNames: readonly string[] = Object.keys(pages);

/** Parses a page of the console, as its address has it: `events/129`, also with what narrows it, `events?kind=Message`. */
export function pageOf(text: string): string {
  const page = text.replace(/^#?\//, '');
  const [name = '', ...parts] = (page.split('?', 1)[0] ?? '').split('/');
  const known = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (known?.parts.includes(parts.length) && parts.every((part) => part !== '')) return page;
  const all = Object.values(pages).map(({ shown }) => shown);
  throw new InvalidArgumentError(`The console has these pages: ${all.join(', ')}.`);
}

/** An address with a token in its fragment, which then leads to this page. */
export function addressOf(url: string, page: string | undefined): string {
  return page === undefined ? url : `${url}&to=/${encodeURIComponent(page).replaceAll('%2F', '/')}`;
}
