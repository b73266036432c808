const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const port = '[-a-z0-9]+';
const hint = (examples: string, pattern: string) => ` (e.g. ${examples}, regex used for validation is '${pattern}')`;

type Rule = (text: string) => readonly string[];

/** The faults of a text, in the words of k8s.io/apimachinery; empty if it is valid. */
export const dnsSubdomain = rule(253, 'characters', {
  pattern: `${label}(\\.${label})*`,
  words:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: "'example.com'",
});
export const dnsLabel = rule(63, 'characters', {
  pattern: label,
  words:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: "'my-name',  or '123-abc'",
});
export const dns1035Label = rule(63, 'characters', {
  pattern: '[a-z]([-a-z0-9]*[a-z0-9])?',
  words:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: "'my-name',  or 'abc-123'",
});
export const labelValue = rule(63, 'bytes', {
  pattern: `(${qualified})?`,
  words:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: "'MyValue',  or 'my_value',  or '12345'",
});
const keyPart = rule(63, 'bytes', {
  pattern: qualified,
  words:
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: "'MyName',  or 'my.name',  or '123-abc'",
});
const configKeyShape = rule(253, 'characters', {
  pattern: '[-._a-zA-Z0-9]+',
  words: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  examples: "'key.name',  or 'KEY_NAME',  or 'key-name'",
});

/** Checks a key of a label or annotation: `name` or `prefix/name`. */
export function labelKey(text: string): readonly string[] {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) {
    const pattern = hint("'MyName',  or 'my.name',  or '123-abc'", qualified).slice(2, -1);
    return [
      `a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (${pattern}) with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = second ?? first;
  const prefix =
    second === undefined
      ? []
      : first === ''
        ? ['prefix part must be non-empty']
        : dnsSubdomain(first).map((why) => `prefix part ${why}`);
  const empty = name === '' ? ['name part must be non-empty'] : [];
  return [...prefix, ...empty, ...keyPart(name).map((why) => `name part ${why}`)];
}

/** Checks a key of a ConfigMap or a Secret. */
export function configKey(text: string): readonly string[] {
  if (text === '.') return ["must not be '.'"];
  if (text === '..') return ["must not be '..'"];
  return text.startsWith('..') ? [...configKeyShape(text), "must not start with '..'"] : configKeyShape(text);
}

/** Checks the name of a role: anything that can stand in a path. */
export function pathSegment(text: string): readonly string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((sign) => text.includes(sign)).map((sign) => `may not contain '${sign}'`);
}

/** Checks the name of a container's port. */
export function portName(text: string): readonly string[] {
  if (text.length > 15) return ['must be no more than 15 characters'];
  return [
    ...(new RegExp(`^${port}$`).test(text)
      ? []
      : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(text) ? [] : ['must contain at least one letter (a-z)']),
    ...(text.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(text) ? ['must not begin or end with a hyphen'] : []),
  ];
}

function rule(
  max: number,
  unit: string,
  { pattern, words, examples }: { pattern: string; words: string; examples: string },
): Rule {
  const shape = new RegExp(`^(?:${pattern})$`);
  return (text) => [
    ...(Buffer.byteLength(text) > max ? [`must be no more than ${max} ${unit}`] : []),
    ...(shape.test(text) ? [] : [`${words}${hint(examples, pattern)}`]),
  ];
}
