import { watches } from '../../../functions/watches.ts';
import type { SourceSpec } from '../mesh-spec.ts';
import { readOverrides } from './api-server-source.ts';
import { type Known, readDestination } from './destination.ts';
import type { Field } from './field.ts';

/** The ContainerSource of deploy/components/source: as many sources as it has ways to watch. Any other is refused. */
export function readContainerSource(field: Field, known: Known): readonly SourceSpec[] {
  const [metadata, spec] = [field.at('metadata'), field.at('spec')];
  const namespace = metadata.at('namespace').text('default');
  spec.allow(['sink', 'template', 'ceOverrides']);
  const [container] = spec.at('template').at('spec').at('containers').items();
  const [program] = container?.at('args').items() ?? [];
  if (program?.text() !== 'source') spec.at('template').refuse("is not run locally: only Knudge's own source is");
  const isAlone = container
    ?.at('env')
    .items()
    .some((one) => one.at('name').text() === 'WATCH_NAMESPACE');
  const sink = readDestination(spec.at('sink'), { namespace, known });
  const overrides = readOverrides(spec.at('ceOverrides'));
  return watches.map(({ mode, resources }) => ({
    ...{ namespace, name: metadata.at('name').text(), mode, resources, sink, overrides },
    namespaces: { kind: isAlone === true ? 'own' : 'all' },
    keepsTrack: true,
  }));
}
