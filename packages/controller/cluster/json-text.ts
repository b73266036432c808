/**
 * JSON that is YAML too: the API server reads an apply as YAML 1.2, which refuses these characters unless they are escaped
 * (YAML 1.2.2, 5.1: printable characters). Half of a surrogate pair, as a cut text may end with, it refuses in any form: as Go does
 * where it reads JSON, U+FFFD stands for it.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value)
    .replace(/[\u007f-\u0084\u0086-\u009f\ufeff\ufffe\uffff]/g, escaped)
    .replace(halfPair, '$1\\ufffd');
}

/** JSON.stringify escapes nothing else like this; before a backslash of its own it writes another one. */
const halfPair = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
