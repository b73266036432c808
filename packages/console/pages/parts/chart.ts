import uPlot, { type AlignedData, type Options } from 'uplot';
import { html, useEffect, useRef } from '../html.ts';

interface ChartParts {
  readonly label: string;
  readonly data: AlignedData;
  readonly options: Omit<Options, 'width' | 'height'>;
}

/** A chart in the width that it has; a table beside it says the same. */
export function Chart({ label, data, options }: ChartParts) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current === null) return undefined;
    const { current } = box;
    const sizeOf = () => ({ width: Math.max(200, current.clientWidth), height: 150 });
    const chart = new uPlot({ ...options, ...sizeOf() }, data, current);
    const observer = new ResizeObserver(() => chart.setSize(sizeOf()));
    observer.observe(current);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [data]);
  return html`<div class="chart" role="img" aria-label=${label} ref=${box}></div>`;
}

/** A colour of the page as the canvas reads it: resolved for the light or the dark. */
export function colour(name: string): string {
  const probe = document.createElement('i');
  probe.className = `of-${name}`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
