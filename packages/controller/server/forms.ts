import { isIP } from 'node:net';

/** How a variable is read: its value, or undefined and a sentence about what it must be. */
export interface Form<Value> {
  readonly parse: (raw: string) => Value | undefined;
  readonly mustBe: string;
  /** Its value may hold a password: it is not repeated. */
  readonly isSecret?: boolean;
}

/** Reads one variable. What is wrong is noted, so that one message reports all of it; the default stands in meanwhile. */
export function reader(env: Readonly<Record<string, string | undefined>>, problems: string[]) {
  return <Value>(name: string, fallback: string, { parse, mustBe, isSecret }: Form<Value>): Value => {
    const raw = env[name];
    const value = parse(raw === undefined || raw === '' ? fallback : raw);
    if (value !== undefined) return value;
    problems.push(`${name} ${isSecret ? '' : `is ${JSON.stringify(raw)} and `}must be ${mustBe}`);
    return parse(fallback) as Value;
  };
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Form<Choice> {
  return { parse: (raw) => choices.find((choice) => choice === raw), mustBe: `one of ${choices.join(', ')}` };
}

export function integer(least: number, most: number): Form<number> {
  const parse = (raw: string): number | undefined => {
    const value = Number(raw);
    return /^\d+$/.test(raw) && value >= least && value <= most ? value : undefined;
  };
  return { parse, mustBe: `a whole number from ${least} to ${most}` };
}

export const text: Form<string> = { parse: (raw) => raw, mustBe: 'a text' };

export function url(protocols: readonly string[]): Form<string> {
  const isOne = (raw: string): boolean => URL.canParse(raw) && protocols.includes(new URL(raw).protocol);
  const beginnings = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return { parse: (raw) => (raw === '' || isOne(raw) ? raw : undefined), mustBe: `an address with ${beginnings}` };
}

export const address: Form<string> = {
  parse: (raw) => (raw === '' || isIP(raw) > 0 ? raw : undefined),
  mustBe: 'an IP address of this machine, such as 127.0.0.1',
};

export const image: Form<string> = {
  parse: (raw) => (/^[a-z0-9][\w./:@-]*$/.test(raw) ? raw : undefined),
  mustBe: 'the name of an image, such as busybox:1.37.0',
};

/** As Knative writes them: `{"extensions":{"name":"value"}}`. */
export const extensions: Form<Readonly<Record<string, string>>> = {
  parse: (raw) => {
    if (raw === '') return {};
    try {
      const { extensions: found = {} } = JSON.parse(raw) as { readonly extensions?: Readonly<Record<string, unknown>> };
      const isFine = Object.entries(found).every(
        ([name, value]) => /^[a-z0-9]+$/.test(name) && typeof value === 'string',
      );
      return isFine ? (found as Readonly<Record<string, string>>) : undefined;
    } catch {
      return undefined;
    }
  },
  mustBe: 'JSON as Knative writes it, such as {"extensions":{"name":"value"}}',
};

export const accounts: Form<readonly string[]> = {
  parse: (raw) => {
    const names = raw === '' ? [] : raw.split(',').map((name) => name.trim());
    return names.every((name) => /^system:serviceaccount:[a-z0-9-]+:[a-z0-9.-]+$/.test(name)) ? names : undefined;
  },
  mustBe: 'a list of ServiceAccounts with commas between them, such as system:serviceaccount:knudge:broker',
};

export const namespace: Form<string> = {
  parse: (raw) => (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(raw) ? raw : undefined),
  mustBe: 'the name of a namespace: lower-case letters, digits and -, at most 63',
};

export function orNone(form: Form<string>): Form<string> {
  return { ...form, parse: (raw) => (raw === '' ? raw : form.parse(raw)) };
}
