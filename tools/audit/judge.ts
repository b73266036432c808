/** A vulnerability that is known of a package. */
export interface Advisory {
  readonly title: string;
  readonly url: string;
}

/** A package with a known vulnerability. */
export interface Finding {
  readonly name: string;
  readonly severity: 'info' | 'low' | 'moderate' | 'high' | 'critical';
  /** Whether it is installed with what runs, not only for a tool. */
  readonly runs: boolean;
  readonly advisories: readonly Advisory[];
}

/** The result of a search for known vulnerabilities. */
export type Verdict =
  | { readonly kind: 'found'; readonly findings: readonly Finding[] }
  /** Unknown: the registry has no such service, or cannot be reached. */
  | { readonly kind: 'unanswered'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/** The packages of package-lock.json by their paths. */
export type Locked = Readonly<Record<string, { readonly dev?: boolean }>>;

const severities: readonly Finding['severity'][] = ['info', 'low', 'moderate', 'high', 'critical'];
/** The errors of npm and of Node if a registry cannot be reached. */
const away =
  /^(ENOAUDIT|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E\d{3})$/;

/** Parses the output of `npm audit --json`, the worst first. Without output the registry was too slow. */
export function judge(written: string, locked: Locked): Verdict {
  if (written.trim() === '') return { kind: 'unanswered', why: 'it did not answer in time' };
  const said = objectIn(written);
  const { vulnerabilities } = said;
  if (typeof vulnerabilities !== 'object' || vulnerabilities === null) return withoutAnswer(said);
  const findings = Object.entries(vulnerabilities as Readonly<Record<string, unknown>>).map(([name, entry]) =>
    findingOf(name, entry, locked),
  );
  return { kind: 'found', findings: findings.toSorted((one, other) => weightOf(other) - weightOf(one)) };
}

/** Whether it prevents a release: of high severity or worse, in what runs. */
export function isUrgent({ severity, runs }: Finding): boolean {
  return runs && (severity === 'high' || severity === 'critical');
}

function withoutAnswer({ statusCode, error }: Readonly<Record<string, unknown>>): Verdict {
  if (typeof statusCode === 'number') return { kind: 'unanswered', why: `it answered ${statusCode}` };
  const { code, summary } = (error ?? {}) as { readonly code?: unknown; readonly summary?: unknown };
  if (typeof code === 'string' && away.test(code)) return { kind: 'unanswered', why: `it cannot be asked (${code})` };
  return { kind: 'failed', why: typeof summary === 'string' && summary !== '' ? summary : 'npm did not say why' };
}

function findingOf(name: string, entry: unknown, locked: Locked): Finding {
  const { severity, via, nodes } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  const paths = Array.isArray(nodes) ? nodes.map(String) : [];
  const causes = Array.isArray(via) ? via : [];
  return {
    name,
    // A severity that npm does not give counts as the worst.
    severity: severities.find((one) => one === severity) ?? 'critical',
    runs: paths.length === 0 || paths.some((path) => locked[path]?.dev !== true),
    // A text in this list names another package, which has an entry of its own.
    advisories: causes.flatMap((cause: unknown) => {
      const { title, url } = typeof cause === 'object' && cause !== null ? (cause as Partial<Advisory>) : {};
      return title === undefined ? [] : [{ title: String(title), url: String(url ?? '') }];
    }),
  };
}

function weightOf({ severity, runs }: Finding): number {
  return severities.indexOf(severity) + (runs ? severities.length : 0);
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
