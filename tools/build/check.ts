import type { Bundle } from './bundles.ts';

/** Bytes of one function at most, so that it wakes quickly: it has to read and compile all that it loads. */
export const largestBundle = 292_000;

/** Packages that must not be in a function, with the reason and what to do. */
const strangers: Readonly<Record<string, string>> = {
  '@kubernetes/client-node':
    'it is most of a cold start: import its types only, and load it outside a cluster only (packages/controller/cluster/outside.ts)',
  '@peculiar/x509': 'certificates are made seldom: load packages/issuing/issue.ts with import() when one is due',
  express: 'functions answer on node:http: docs/decisions/0003-functions-answer-on-node-http.md',
  'iconv-lite': 'its tables are half a megabyte, and every event is UTF-8',
  'mime-db': 'its tables are 150 KB, and a function knows two media types',
  jose: 'tokens are checked only where OIDC_ISSUER is set: load packages/controller/server/jose.ts with import()',
  undici: 'node:https is loaded already and costs less',
};

/** The faults in the bundle of a function, one sentence each. */
export function checkBundle({ name, bytes, metafile }: Pick<Bundle, 'name' | 'bytes' | 'metafile'>): readonly string[] {
  const problems: string[] = [];
  if (bytes > largestBundle) {
    const size = `${String(Math.ceil(bytes / 1000))} KB, more than ${String(largestBundle / 1000)} KB`;
    problems.push(
      `${name} is ${size}: dist/meta/${name}.json says what is inside; load rarely needed modules with import().`,
    );
  }
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  for (const [stranger, advice] of Object.entries(strangers)) {
    const found = inputs.find((input) => input.includes(`node_modules/${stranger}/`));
    if (found !== undefined) problems.push(`${name} holds ${stranger} (${found}): ${advice}.`);
  }
  return problems;
}
