import { Command, CommanderError } from 'commander';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { type FilterOptions, filterOf, withFilters } from '../filters.ts';
import { strict } from '../leaf.ts';

/** The words of a filter that the command line reads in more than one way. */
const words = ['since', 'until', 'type', 'kind'] as const;

type Words = Readonly<Partial<Record<(typeof words)[number], string>>>;

/**
 * The words of a console's filter as the options of `knudge events` read them: `msg` is the kind Message, `15m` a time. A kind that begins
 * with a capital letter may be one that no source watches. Throws `invalid-request` with the sentence of the option.
 */
export function wordsIn(body: unknown): Words {
  const given = (body ?? {}) as Readonly<Record<string, unknown>>;
  const found: Partial<Record<(typeof words)[number], string>> = {};
  for (const word of words) {
    const value = given[word];
    if (typeof value === 'string' && value !== '') found[word] = read(word, value);
  }
  return found;
}

function read(word: keyof Words, value: string): string {
  const command = withFilters(strict(new Command(word))).action(() => undefined);
  try {
    const { [word]: known = value } = filterOf(
      command.parse([`--${word}=${value}`], { from: 'user' }).opts<FilterOptions>(),
    );
    return known;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (word === 'kind' && /^[A-Z]/.test(value)) return value;
    throw new KnudgeError('invalid-request', error.message.replace(/^error: option .* is invalid\. /, ''));
  }
}
