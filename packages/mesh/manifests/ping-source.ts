import type { PingSpec } from '../mesh-spec.ts';
import { readSchedule } from '../sources/schedule.ts';
import { readOverrides } from './api-server-source.ts';
import { type Known, readDestination } from './destination.ts';
import type { Field } from './field.ts';

/** The default of the CRD for a PingSource without a schedule. */
const everyMinute = '* * * * *';

/** A PingSource. */
export function readPingSource(field: Field, known: Known): PingSpec {
  const [metadata, spec] = [field.at('metadata'), field.at('spec')];
  const namespace = metadata.at('namespace').text('default');
  spec.allow(['schedule', 'timezone', 'contentType', 'data', 'dataBase64', 'sink', 'ceOverrides']);
  const [timezone, contentType] = [spec.at('timezone').text(), spec.at('contentType').text()];
  const schedule = spec.at('schedule').text(everyMinute);
  const read = readSchedule(schedule, timezone);
  if ('why' in read) spec.at(read.field).refuse(`invalid value: ${read.why}`);
  return {
    namespace,
    name: metadata.at('name').text(),
    schedule,
    ...(timezone !== '' && { timezone }),
    ...(contentType !== '' && { contentType }),
    data: readData(spec, contentType),
    sink: readDestination(spec.at('sink'), { namespace, known }),
    overrides: readOverrides(spec.at('ceOverrides')),
  };
}

function readData(spec: Field, contentType: string): Buffer {
  const [plain, encoded] = [spec.at('data'), spec.at('dataBase64')];
  const [text, base64] = [plain.text(), encoded.text()];
  if (text !== '' && base64 !== '') encoded.refuse('expected exactly one, got both: data, dataBase64');
  const data = Buffer.from(text !== '' ? text : base64, text !== '' ? 'utf8' : 'base64');
  if (text === '' && data.toString('base64') !== base64) encoded.refuse('invalid value: is not base64');
  else if (data.length > 0 && contentType === 'application/json' && !isJsonObject(data.toString())) {
    (text !== '' ? plain : encoded).refuse('invalid value: with contentType application/json it must be a JSON object');
  }
  return data;
}

/** Go's `json.Unmarshal` into a map takes null too. */
function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value);
  } catch {
    return false;
  }
}
