import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUrgent, judge } from '../../../tools/audit/judge.ts';

const locked = { 'node_modules/a': {}, 'node_modules/b': { dev: true }, 'node_modules/c/node_modules/b': {} };
const advisory = { source: 1, name: 'a', title: 'Too trusting', url: 'https://advisories.example/1', severity: 'high' };

/** As `npm audit --json` writes it, in its second form. */
function written(name: string, fields: Readonly<Record<string, unknown>>): string {
  const entry = { name, isDirect: false, via: [advisory], effects: [], range: '*', fixAvailable: true, ...fields };
  return JSON.stringify({ auditReportVersion: 2, vulnerabilities: { [name]: entry }, metadata: {} });
}

for (const { what, name, severity, nodes, runs, urgent } of [
  { what: 'high in what runs', name: 'a', severity: 'high', nodes: ['node_modules/a'], runs: true, urgent: true },
  { what: 'critical there', name: 'a', severity: 'critical', nodes: ['node_modules/a'], runs: true, urgent: true },
  { what: 'moderate there', name: 'a', severity: 'moderate', nodes: ['node_modules/a'], runs: true, urgent: false },
  {
    what: 'critical in a tool',
    name: 'b',
    severity: 'critical',
    nodes: ['node_modules/b'],
    runs: false,
    urgent: false,
  },
  {
    what: 'in a tool and, in another copy, in what runs',
    name: 'b',
    severity: 'high',
    runs: true,
    urgent: true,
    nodes: ['node_modules/b', 'node_modules/c/node_modules/b'],
  },
  { what: 'of no place', name: 'd', severity: 'high', nodes: [], runs: true, urgent: true },
  { what: 'of a new severity', name: 'a', severity: 'dire', nodes: ['node_modules/a'], runs: true, urgent: true },
]) {
  test(`a vulnerability ${what} is ${urgent ? '' : 'not '}urgent`, () => {
    const verdict = judge(written(name, { severity, nodes }), locked);
    assert.ok(verdict.kind === 'found');
    const [finding] = verdict.findings;
    assert.deepEqual([finding?.name, finding?.runs, finding && isUrgent(finding)], [name, runs, urgent]);
    assert.deepEqual(finding?.advisories, [{ title: advisory.title, url: advisory.url }]);
  });
}

test('the worst come first, what runs before the tools', () => {
  const entry = (severity: string, node: string) => ({ severity, via: ['another'], nodes: [`node_modules/${node}`] });
  const vulnerabilities = { b: entry('critical', 'b'), low: entry('low', 'a'), high: entry('high', 'a') };
  const verdict = judge(JSON.stringify({ vulnerabilities }), locked);
  assert.ok(verdict.kind === 'found');
  assert.deepEqual(
    verdict.findings.map(({ name }) => name),
    ['high', 'low', 'b'],
  );
});

test('no vulnerability is an answer', () =>
  assert.deepEqual(judge('{"auditReportVersion":2,"vulnerabilities":{}}', locked), { kind: 'found', findings: [] }));

for (const { what, text, kind, why } of [
  { what: 'no such service', text: '{"message":"405","statusCode":405,"error":{}}', kind: 'unanswered', why: '405' },
  { what: 'no network', text: '{"error":{"code":"ENOTFOUND","summary":"x"}}', kind: 'unanswered', why: 'ENOTFOUND' },
  { what: 'nothing in time', text: '', kind: 'unanswered', why: 'in time' },
  { what: 'no lockfile', text: '{"error":{"code":"ENOLOCK","summary":"no lock"}}', kind: 'failed', why: 'no lock' },
  { what: 'no JSON', text: 'npm error', kind: 'failed', why: 'did not say' },
  { what: 'JSON of another sort', text: '[]', kind: 'failed', why: 'did not say' },
]) {
  test(`${what} is ${kind}, which is neither good nor bad news`, () => {
    const verdict = judge(text, locked);
    assert.equal(verdict.kind, kind);
    assert.ok('why' in verdict && verdict.why.includes(why), JSON.stringify(verdict));
  });
}
