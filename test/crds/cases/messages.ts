import type { Case } from '../case.ts';
import { accepted, message, refused } from '../case.ts';

const says = (text: string): Pick<Case, 'object' | 'expected' | 'spec'> => ({
  object: message({ text }),
  expected: 'accepted',
  spec: { text },
});

/** The text of a Message. */
export const messageCases: readonly Case[] = [
  {
    name: 'a Message without a spec gets the default text',
    object: message(undefined),
    expected: 'accepted',
    spec: { text: 'Hello from Knudge!' },
  },
  {
    name: 'a Message with an empty spec gets the default text',
    object: message({}),
    expected: 'accepted',
    spec: { text: 'Hello from Knudge!' },
  },
  {
    name: 'text that is null gets the default',
    object: message({ text: null }),
    expected: 'accepted',
    spec: { text: 'Hello from Knudge!' },
  },
  {
    name: 'what is not text is pruned',
    object: message({ text: 'x', image: 'y' }),
    expected: 'accepted',
    spec: { text: 'x' },
  },
  { name: 'text stays as it is: other scripts and emoji', ...says('Grüße, 안녕하세요 שלום 👋🏽') },
  {
    name: 'text stays as it is: quotes, braces and shell characters',
    ...says('"\'`\\ {{ .A }} $(id) $HOME && ; | # %s'),
  },
  { name: 'text stays as it is: lines, tabs and control characters', ...says('one\ntwo\r\n\tthree\u0001\u001b[31m\n') },
  { name: 'text stays as it is: spaces alone', ...says('  ') },
  { name: 'text of 1 character is accepted', ...says('x') },
  { name: 'text of 4096 characters is accepted', ...says('x'.repeat(4096)) },
  { name: 'characters are counted, not bytes', ...says('👋'.repeat(4096)) },
  ...accepted({
    'a name of 253 characters is accepted': message({}, { name: 'm'.repeat(253) }),
  }),
  ...refused('at least 1 chars long', { 'empty text is refused': message({ text: '' }) }),
  ...refused('Too long', { 'text of 4097 characters is refused': message({ text: 'x'.repeat(4097) }) }),
  ...refused('text must not contain the NUL character', {
    'NUL is refused': message({ text: '\u0000' }),
    'NUL is refused in the middle too': message({ text: 'before\u0000after' }),
  }),
  ...refused('spec.text', {
    'a number is no text, so it is refused': message({ text: 1 }),
    'a list is no text, so it is refused': message({ text: ['x'] }),
  }),
];
