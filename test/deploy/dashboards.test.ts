import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { textOf } from '../house/files.ts';
import { dashboards, type Panel } from '../prometheus/dashboards/queries.ts';
import { ownSelectors } from '../prometheus/selectors.ts';

interface Kustomization {
  readonly configMapGenerator: readonly {
    readonly name: string;
    readonly files: readonly string[];
    readonly options: { readonly labels: Readonly<Record<string, string>> };
  }[];
}

const all = dashboards();
const kustomization = parse(textOf('deploy/components/prometheus/kustomization.yaml')) as Kustomization;

function overlap({ gridPos: one }: Panel, { gridPos: other }: Panel): boolean {
  const apart = one.x + one.w <= other.x || other.x + other.w <= one.x;
  return !apart && one.y < other.y + other.h && other.y < one.y + one.h;
}

describe('the dashboards', () => {
  it("are in ConfigMaps that Grafana's sidecar looks for, each under a name that stays", () => {
    for (const { options } of kustomization.configMapGenerator) assert.equal(options.labels['grafana_dashboard'], '1');
    const made = kustomization.configMapGenerator.map(({ name, files }) => `${name} ${files.join()}`).toSorted();
    const wanted = all.map(({ file }) => `knudge-dashboard-${file} dashboards/${file}.json`);
    assert.deepEqual(made, wanted.toSorted());
  });

  for (const { file, uid, schemaVersion, templating, panels } of all) {
    it(`${file} has what Grafana wants of each panel, and the data source is a variable`, () => {
      assert.equal(uid, `knudge-${file}`);
      assert.ok(schemaVersion >= 36);
      const [source] = templating.list;
      assert.deepEqual([source?.name, source?.type], ['datasource', 'datasource']);
      assert.deepEqual(
        panels.map(({ id }) => id),
        panels.map((_, index) => index + 1),
      );
      for (const panel of panels) {
        const { title, description, datasource, gridPos, fieldConfig, targets } = panel;
        assert.ok(title.length > 3 && description.length > 20 && /[.:]/.test(description), title);
        assert.equal(datasource.uid, `\${datasource}`);
        assert.ok(gridPos.x >= 0 && gridPos.x + gridPos.w <= 24 && gridPos.h > 0, title);
        assert.notEqual(fieldConfig.defaults.unit, '', title);
        assert.ok(targets.length > 0, title);
        assert.ok(!panels.some((other) => other !== panel && overlap(panel, other)), `${title} overlaps`);
      }
    });
  }

  it('say so where only Knative 1.19 and newer exports a metric', () => {
    const ofKnative = all
      .flatMap(({ panels }) => panels)
      .filter(({ targets }) => targets.some(({ expr }) => expr.includes('kn_')));
    assert.ok(ofKnative.length > 0);
    for (const { title, description } of ofKnative) assert.match(description, /Only Knative 1\.19 and newer/, title);
  });

  it('take what is of Knudge itself from the chosen namespaces, and never from a tunnel', () => {
    const queries = all.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));
    const inPanels = queries.flatMap(ownSelectors);
    assert.ok(inPanels.length > 50);
    for (const { metric, matchers } of inPanels) assert.ok(matchers.includes('namespace=~"$namespace"'), metric);
    const inVariables = all.flatMap(({ templating }) =>
      templating.list.flatMap(({ definition = '', query }) => {
        if (typeof query !== 'string' && query !== undefined) assert.equal(query.query, definition);
        return ownSelectors(definition);
      }),
    );
    assert.equal(inVariables.length, 3);
    for (const { metric, matchers } of [...inPanels, ...inVariables])
      assert.ok(matchers.includes('job!="knudge-tunnels"'), metric);
  });

  it('ask for exemplars where the metric has them', () => {
    const targets = all.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets));
    const withExemplars = targets.filter(({ expr }) => expr.includes('frp_operator_reconcile_duration_seconds_bucket'));
    assert.ok(withExemplars.length > 0);
    assert.deepEqual(
      targets.filter(({ exemplar }) => exemplar === true),
      withExemplars,
    );
  });
});
