import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useAdmission } from './admission.ts';
import { ask, putObjects } from './admission-ask.ts';
import { admissionRows } from './admission-rows.ts';

const given = useAdmission(putObjects);

for (const row of admissionRows) {
  const { who, does, to, subresource, refused } = row;
  const what = `${does} ${to[1]} ${to[2]}${subresource === undefined ? '' : `, its ${subresource},`} ${JSON.stringify(row.body ?? '')}`;
  test(`${who} ${refused ? 'may not' : 'may'} ${what}`, async () => {
    const { status, body } = await ask(given(), row);
    const { message: said = '' } = body as { message?: string };
    if (refused) assert.match(said, /Knudge alone (changes it|sets them)/, `${status} ${said}`);
    else assert.ok(status < 300, `${status} ${said}`);
  });
}
