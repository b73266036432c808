import { ApiProblem } from '../http/problem.ts';
import { isArray, isObject, type Json } from '../json.ts';

/** A value as Go prints it in the messages of the server: `map[a:1 b:[x y]]`. */
export function printed(value: Json): string {
  if (isArray(value)) return `[${value.map(printed).join(' ')}]`;
  if (!isObject(value)) return value === null ? '<nil>' : String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${printed(value[key] ?? null)}`).join(' ')}]`;
}

/** `json: cannot unmarshal array into Go value of type …`. */
export function unfit(value: Json, type: string): string {
  const name = isArray(value) ? 'array' : typeof value;
  return `json: cannot unmarshal ${name === 'boolean' ? 'bool' : name} into Go ${type}`;
}

/** An error that the server does not classify: 500 without a reason. */
export function failed(message: string): ApiProblem {
  return new ApiProblem(500, '', { message });
}

/** 422 for a patch that does not fit: the server does not say where. */
export function refused(): ApiProblem {
  return new ApiProblem(422, 'Invalid', {
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });
}
