import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { root, textOf } from '../../house/files.ts';

/** One query of a panel. */
export interface PanelQuery {
  /** Dashboard, title of the panel, and legend: `resync: Repairs: {{kind}}`. */
  readonly name: string;
  readonly expr: string;
}

export interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly datasource: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly {
    readonly expr: string;
    readonly legendFormat: string;
    readonly exemplar?: boolean;
  }[];
}

export interface Dashboard {
  readonly file: string;
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly type: string;
      readonly definition?: string;
      readonly query?: string | { readonly query: string };
    }[];
  };
  readonly panels: readonly Panel[];
}

/** All dashboards as they are in deploy/. */
export function dashboards(): readonly Dashboard[] {
  const files = globSync('deploy/components/prometheus/dashboards/*.json', { cwd: root }).toSorted();
  return files.map((file) => ({ ...(JSON.parse(textOf(file)) as Dashboard), file: basename(file, '.json') }));
}

/** The queries of these dashboards as Grafana would send them: with an interval, and a value for each variable. */
export function queriesOf(
  files: readonly string[],
  variables: Readonly<Record<string, string>>,
): readonly PanelQuery[] {
  const filled = (expr: string): string =>
    Object.entries(variables).reduce((text, [name, value]) => text.replaceAll(`$${name}`, value), expr);
  return dashboards()
    .filter(({ file }) => files.includes(file))
    .flatMap(({ file, panels }) =>
      panels.flatMap(({ title, targets }) =>
        targets.map(({ expr, legendFormat }) => ({ name: `${file}: ${title}: ${legendFormat}`, expr: filled(expr) })),
      ),
    );
}
