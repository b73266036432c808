import { controllerIn } from '../../start/controller-in.ts';
import type { SourceSpec } from '../mesh-spec.ts';
import { readOverrides } from './api-server-source.ts';
import { type Known, readDestination } from './destination.ts';
import type { Field } from './field.ts';

/** Reads the ContainerSource of deploy/components/source, as one source for each way to watch. Any other is refused. */
export function readContainerSource(
  field: Field,
  { known, root }: { readonly known: Known; readonly root: string },
): readonly SourceSpec[] {
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
  // Here, because most meshes have no such source, and this loads every function.
  return controllerIn(root).watches.map(({ mode, resources }) => ({
    namespace,
    name: metadata.at('name').text(),
    mode,
    resources,
    sink,
    overrides,
    namespaces: { kind: isAlone === true ? 'own' : 'all' },
    keepsTrack: true,
  }));
}
