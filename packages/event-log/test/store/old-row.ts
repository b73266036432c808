/** The statement by which a Knudge before the chain kept an event. */
export function oldRow(id: string, table: string): string {
  const time = '2026-02-01T12:00:00.000Z';
  const columns = 'digest, recorded, id, source, type, time, at, namespace, extensions, data, size';
  return `INSERT INTO ${table} (${columns}) VALUES
    ('${id}', '${time}', '${id}', '/old', 't', '${time}', ${Date.parse(time)}, 'shop', '{}', '{"a":1}', 700)`;
}
