/**
 * JSON that is YAML too: the API server reads an apply as YAML 1.2, which refuses these characters unless they are escaped
 * (YAML 1.2.2, 5.1: printable characters).
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u0084\u0086-\u009f\ufeff\ufffe\uffff]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
