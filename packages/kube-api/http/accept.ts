import { ApiProblem } from './problem.ts';

/** The form that an answer should have. */
export interface Wanted {
  readonly as: '' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'APIGroupDiscoveryList';
  readonly yaml: boolean;
  /** The version of meta.k8s.io. */
  readonly version?: 'v1' | 'v1beta1';
}

const plain: Wanted = { as: '', yaml: false };

/**
 * The first media type of an Accept header that can be served: JSON, YAML, and JSON as Table or with only metadata.
 * Protobuf is skipped, so that clients fall back to JSON. Throws the 406 of the API server.
 */
export function negotiate(accept: string | undefined, isStream = true): Wanted {
  if (accept === undefined || accept.trim() === '') return plain;
  const media = accept.split(',').map(parse);
  const wanted = media.map(serve).find((found) => found !== undefined);
  if (wanted === undefined)
    throw notAcceptable(
      media.some(({ type }) => type === 'application/json'),
      isStream,
    );
  return wanted;
}

interface Media {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

function parse(text: string): Media {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const pairs = parameters
    .map((parameter) => parameter.split('='))
    .map(([key = '', value = '']) => [key, value] as const);
  return { type: type.toLowerCase(), parameters: new Map(pairs) };
}

function serve({ type, parameters }: Media): Wanted | undefined {
  if (type === 'application/yaml') return { as: '', yaml: true };
  if (!['application/json', 'application/*', '*/*'].includes(type)) return undefined;
  const kind = parameters.get('as') ?? '';
  const [group, version] = [parameters.get('g'), parameters.get('v')];
  switch (kind) {
    case '':
      return plain;
    case 'Table':
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
      return { as: kind, yaml: false, version };
    case 'APIGroupDiscoveryList':
      return group === 'apidiscovery.k8s.io' && version === 'v2' ? { as: kind, yaml: false } : undefined;
    default:
      return undefined;
  }
}

const [ours, theirs] = ['application/json, application/yaml', 'application/vnd.kubernetes.protobuf'];

function notAcceptable(isConversion: boolean, isStream: boolean): ApiProblem {
  const streams = isStream ? `, application/json;stream=watch, ${theirs};stream=watch` : '';
  const message = isConversion
    ? `only the following media types are accepted: ${ours}, ${theirs}`
    : `406: Not Acceptable\n\nAvailable representations: ${ours}, ${theirs}${streams}`;
  return new ApiProblem(406, 'NotAcceptable', { message, ...(!isConversion && { details: {} }) });
}
