/** What a header must not carry as it is (CloudEvents HTTP binding 1.0, section 3.1.3.2). */
const toEncode = /[^\x21-\x7e]+|["%]/g;
const nothingToEncode = /^[\x21\x23\x24\x26-\x7e]*$/;

/** The value of an attribute as a header carries it: all but printable ASCII, and blanks, `"` and `%`, as UTF-8 in percent. */
export function encodeHeaderValue(value: string): string {
  if (nothingToEncode.test(value)) return value;
  return value.replace(toEncode, (run) => Buffer.from(run, 'utf8').toString('hex').toUpperCase().replace(/../g, '%$&'));
}
