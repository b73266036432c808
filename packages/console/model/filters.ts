/** The words of the command line (`knudge events --kind …`), and three that the page itself applies. */
export const serverWords = ['since', 'until', 'type', 'kind', 'namespace', 'name', 'id', 'changed', 'q'] as const;
const pageWords = ['only'] as const;

type Word = (typeof serverWords)[number] | (typeof pageWords)[number];

/** Which events a person wants to see; what is left out does not matter. */
export type Filter = Readonly<Partial<Record<Word, string>>>;

const words: readonly Word[] = [...serverWords, ...pageWords];

/** The filter in the query of an address. Words that it does not know are left out. */
export function filterOf(query: URLSearchParams): Filter {
  return Object.fromEntries(words.map((word) => [word, query.get(word) ?? '']).filter(([, value]) => value !== ''));
}

/** The text of the filter's bar: `kind=Pod name=msg-hello`, free words last. */
export function textOf(filter: Filter): string {
  const named = words.filter((word) => word !== 'q' && filter[word] !== undefined);
  const shown = named.map((word) => `${word}=${filter[word]}`);
  return [...shown, ...(filter.q === undefined ? [] : [filter.q])].join(' ');
}

/** Reads the text of the bar; a word without `=` is searched for in everything. */
export function filterIn(text: string): Filter {
  const found: Partial<Record<Word, string>> = {};
  const free: string[] = [];
  for (const piece of text.trim().split(/\s+/).filter(Boolean)) {
    const [, word, value] = /^(\w+)=(.+)$/.exec(piece) ?? [];
    if (isWord(word) && word !== 'q' && value !== undefined) found[word] = value;
    else free.push(piece);
  }
  return free.length === 0 ? found : { ...found, q: free.join(' ') };
}

/** Words that choose among what a list shows; a replay takes the others alone. */
const ofLists = { q: 'words to search for', changed: '`changed`', only: '`only`' } as const;

/** Why a replay cannot choose by this filter; undefined where it can. */
export function notReplayed(filter: Filter): string | undefined {
  const found = (['q', 'changed', 'only'] as const).filter((word) => filter[word] !== undefined);
  if (found.length === 0) return undefined;
  return `A replay cannot choose by ${found.map((word) => ofLists[word]).join(' or ')}: leave that out of the filter.`;
}

function isWord(word: string | undefined): word is Word {
  return words.some((one) => one === word);
}
