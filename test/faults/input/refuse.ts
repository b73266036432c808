import assert from 'node:assert/strict';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Answer } from '../../kube/api.ts';
import { pathOf } from '../../kube/install.ts';
import type { Base, Fields, MalformedResource } from './malformed-resource.ts';
import type { InputWorld } from './world.ts';

/** What becomes of one malformed object and its correction. */
export interface Refusing {
  readonly world: InputWorld;
  readonly base: Base;
  /** A good object like the base that runs, and is not to be touched. */
  readonly standing: KubeObject;
  /** The name of the correction, and of the bad object where its name is not what is bad. */
  readonly name: string;
  /** Is the correction to stay? Otherwise the API server does all but store it. */
  readonly stays: boolean;
}

const dryRun = { dryRun: 'All' };

/** Everything that the API server said of a refusal, for a test that asks which rules refused. */
export type Heard = (message: string) => void;

/** Has a malformed object refused at creation and over a good one, and then has the good object taken in its place. */
export async function refuse(row: MalformedResource, at: Refusing, heard: Heard): Promise<void> {
  const { world, base, standing, name, stays } = at;
  const bad = named(row, name);
  const collection = pathOf(base.object.apiVersion, base.kind, { namespace: world.namespace });
  const create = (body: unknown, query = {}): Promise<Answer> => world.api('POST', collection, { body, query });
  const good = { ...base.object, metadata: { name } };
  const correct = (): Promise<Answer> => create(good, stays ? {} : dryRun);
  switch (row.expected.is) {
    case 'refused': {
      insistOnRefusal(row, await create(bad), { naming: row.expected.naming, heard });
      const { resourceVersion = '' } = standing.metadata;
      const over = {
        ...bad,
        metadata: overMetadata(bad['metadata'], row, { name: standing.metadata.name, resourceVersion }),
      };
      insistOnRefusal(row, await world.api('PUT', `${collection}/${standing.metadata.name}`, { body: over }), {
        naming: [],
        heard,
      });
      return corrected(row, await correct(), standing);
    }
    case 'pruned':
      insistOnRefusal(row, await create(bad, { fieldValidation: 'Strict' }), { naming: row.expected.naming, heard });
      return corrected(row, await create(bad, { fieldValidation: 'Ignore' }), standing);
    case 'absent': {
      const without = await create({ ...row.expected.as, metadata: { name } }, { dryRun: 'All' });
      const answer = await create(bad);
      assert.equal(answer.status, without.status, `${row.name}: ${JSON.stringify(answer.body).slice(0, 300)}`);
      if (answer.status === 201) {
        assert.deepEqual(specOf(answer), specOf(without), row.name);
        const { resourceVersion } = (answer.body as KubeObject).metadata;
        const body = { ...base.object, metadata: { name, resourceVersion } };
        return corrected(row, await world.api('PUT', `${collection}/${name}`, { body }), standing);
      }
      insistOnRefusal(row, answer, { naming: [], heard });
      return corrected(row, await correct(), standing);
    }
  }
}

/** Has a malformed status refused over a good object, or read as the status without the field. */
export async function refuseStatus(row: MalformedResource, at: Refusing, heard: Heard): Promise<void> {
  const { world, base, standing } = at;
  const { name, resourceVersion } = standing.metadata;
  const path = `${pathOf(base.object.apiVersion, base.kind, { namespace: world.namespace, name })}/status`;
  const write = (object: Fields, query: Readonly<Record<string, string>>): Promise<Answer> =>
    world.api('PUT', path, {
      body: { ...object, metadata: { name, resourceVersion } },
      query,
    });
  switch (row.expected.is) {
    case 'refused':
      return insistOnRefusal(row, await write(row.object, {}), { naming: row.expected.naming, heard });
    case 'pruned':
      return insistOnRefusal(row, await write(row.object, { fieldValidation: 'Strict' }), {
        naming: row.expected.naming,
        heard,
      });
    case 'absent': {
      const [answer, without] = [await write(row.object, dryRun), await write(row.expected.as, dryRun)];
      assert.equal(answer.status, without.status, row.name);
      assert.deepEqual(statusOf(answer), statusOf(without), row.name);
    }
  }
}

/** Where a test is about something else than the name, the bad object has one of its own. */
function named({ object, field }: MalformedResource, name: string): Fields {
  const { metadata } = object;
  if (field === 'metadata.name' || (field.startsWith('rule:') && isLongName(metadata)) || !isFields(metadata))
    return object;
  return { ...object, metadata: { ...metadata, name } };
}

function isLongName(metadata: unknown): boolean {
  const { name } = metadata as { readonly name: string };
  return name.length > 62 || name.includes('.');
}

function overMetadata(bad: unknown, { field }: MalformedResource, standing: Fields): unknown {
  if (!isFields(bad)) return bad;
  return field === 'metadata.name' || isLongName({ name: String(bad['name']) })
    ? { ...standing, name: bad['name'] }
    : { ...standing, ...bad, name: standing['name'] };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function insistOnRefusal(
  { name }: MalformedResource,
  { status, body }: Answer,
  { naming, heard }: { readonly naming: readonly string[]; readonly heard: Heard },
): void {
  const message = String((body as { message?: unknown }).message ?? '');
  heard(message);
  assert.ok(status === 422 || status === 400, `${name}: ${status} and not refused: ${message.slice(0, 300)}`);
  assert.ok(
    message.length > 20 && !/rule evaluation|runtime error|no such overload/.test(message),
    `${name}: ${message.slice(0, 300)}`,
  );
  const names = naming.length === 0 || naming.some((text) => message.includes(text));
  assert.ok(names, `${name}: nobody is told of ${naming.join(' or ')}: ${message.slice(0, 300)}`);
}

/** The good object is taken, and is what a good object is. */
function corrected({ name }: MalformedResource, answer: Answer, standing: KubeObject): void {
  assert.ok(
    answer.status === 201 || answer.status === 200,
    `${name}: the correction: ${JSON.stringify(answer.body).slice(0, 300)}`,
  );
  assert.deepEqual(specOf(answer), (standing as { spec?: unknown }).spec, `${name}: the correction`);
}

function specOf({ body }: Answer): unknown {
  return (body as { spec?: unknown }).spec;
}

function statusOf({ body }: Answer): unknown {
  return (body as { status?: unknown }).status;
}
