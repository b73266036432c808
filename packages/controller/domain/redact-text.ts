/** What stands where something was that is not kept. */
export const notKept = '[not kept]';

/**
 * A text as it is kept: none that speaks of a Secret as an object, in JSON or YAML, escaped or in base64, none with a
 * private key; of a bearer token the word alone.
 */
export function redactText(text: string): string {
  if (speaksOfSecret.test(text) || inBase64.test(text) || text.includes('PRIVATE KEY')) return notKept;
  return /earer /i.test(text) ? text.replace(/\b(bearer) +[^\s"',]+/gi, `$1 ${notKept}`) : text;
}

/** `kind: Secret`, `"kind":"Secret"`, and that with quotes that are escaped once or more. */
const speaksOfSecret = /\bkind[\\"'\s]*:[\\"'\s]*Secret(List)?\b|\bstringData[\\"'\s]*:/i;

/** `Secret` in base64, as it looks at each of the three places where it may begin; and two of `PRIVATE KEY`'s. */
const inBase64 = /U2VjcmV0|NlY3JldC|TZWNyZX|UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW/;
