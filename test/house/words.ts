import { lineOf, type Prose, proseOf, proseOfHashes, proseOfMarkdown, proseOfTemplate } from './prose.ts';

/** Where a word is refused: in Markdown, in comments and messages of what is no test, in comments of tests. */
type Place = 'documents' | 'comments' | 'messages' | 'tests';

interface Word {
  readonly pattern: RegExp;
  readonly instead: string;
  readonly places: readonly Place[];
}

const everywhere: readonly Place[] = ['documents', 'comments', 'messages', 'tests'];

/** Not everywhere: `no` for `not a` is refused in messages alone, since comments have it in many good sentences. */
export const words: readonly Word[] = [
  {
    pattern: /\bwho(?:m|so|mso)?ever\b/,
    instead: 'name the actor: "a client that", "the user who"',
    places: everywhere,
  },
  {
    pattern: /(?<!there )\b(?:is|are|be|was|were) none\b/,
    instead: '"is not one", "is not a name", "is not one of"',
    places: everywhere,
  },
  {
    // Not where it means to distinguish, to know or to order.
    pattern:
      /(?<!\b(?:can|cannot|could) )\b(?:tell|tells|told|telling)\b(?!-)(?!(?: [\w']+){0,5} (?:apart|from)\b)(?!(?: \S+){0,2} (?:not )?to\b)/,
    instead: 'say who does what: report, say, show, send, know; "by no event" for "no event told"',
    places: everywhere,
  },
  {
    pattern: /\bso (?:long|many|often)\b(?! (?:that|as)\b)(?! \w+ that\b)/,
    instead: 'the number: "this many", "at most this long", "for 60 seconds"',
    places: everywhere,
  },
  {
    pattern: /\bso much\b(?! (?:that|as)\b)(?! \w+ that\b)/,
    instead: 'the amount: "this fraction", "this many seconds"',
    places: everywhere,
  },
  {
    // Not a question.
    pattern: /(?<=\/\*\* |[.;] |^\s*)Who(?:se)? [a-z][\w']*(?![^.;]*\?)/,
    instead: 'the actor as the subject: "A service that waits …", "The user who …"',
    places: ['comments'],
  },
  {
    pattern: /(?<!there )\b(?:is|are) no (?!longer\b|more\b)\w+/,
    instead: '"is not a …", "are not …"',
    places: ['messages'],
  },
  {
    pattern: /(?<=\/\*\* |[.;] |^\s*)Absent:/,
    instead: 'a sentence: "If absent, …", "Without it …"',
    places: ['comments', 'tests'],
  },
  {
    pattern: /\b(?:he|him|his|himself)\b/,
    instead: '"it" for a program, "they" for a person, or name the actor again',
    places: everywhere,
  },
];

/** Each refused word of a file as `path:line: "word": write …`. */
export function refused(path: string, text: string): readonly string[] {
  return piecesOf(path, text).flatMap(({ place, ...prose }) =>
    words
      .filter(({ places }) => places.includes(place))
      .flatMap((word) => hits(prose, word).map((hit) => `${path}:${hit}: write ${word.instead}`)),
  );
}

function piecesOf(path: string, text: string): readonly (Prose & { readonly place: Place })[] {
  if (path.endsWith('.md')) return [{ ...proseOfMarkdown(text), place: 'documents' }];
  const { comments, messages } = readerOf(path)(text);
  if (isOfTests(path)) return comments.map((prose) => ({ ...prose, place: 'tests' }));
  return [
    ...comments.map((prose) => ({ ...prose, place: 'comments' as const })),
    ...messages.map((prose) => ({ ...prose, place: 'messages' as const })),
  ];
}

function readerOf(path: string): typeof proseOf {
  if (/\.(?:[mc]?[jt]s|go|json)$|^cli\/new\/[^/]+\.txt$/.test(path)) return proseOf;
  return /\.tpl$|\/NOTES\.txt$/.test(path) ? proseOfTemplate : proseOfHashes;
}

/** Their strings are titles and data, which are left as they are. */
function isOfTests(path: string): boolean {
  return /(?:^|\/)(?:test|fidelity)\//.test(path);
}

/** A space of a pattern is also the end of a line: a sentence may go on in the next one. */
function hits({ line, text }: Prose, { pattern }: Word): readonly string[] {
  const found = text.matchAll(new RegExp(pattern.source.replaceAll(' ', '\\s+'), 'gi'));
  return [...found].map(({ 0: word, index }) => {
    return `${line + lineOf(text, index) - 1}: "${word.replace(/\s+/g, ' ')}"`;
  });
}
