import { post, type Step, until } from '../case.ts';

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The CustomResourceDefinition of bodies.ts. */
export const definition = `${definitions}/shops.{group}`;

export const shops = '/apis/{group}/v1/namespaces/{ns}/shops';
export const web = `${shops}/web`;

/** Creates a CustomResourceDefinition of shops and waits until a version of it is served and listed, which takes a real server a moment. */
export function served(body: unknown, version = 'v1'): readonly Step[] {
  return [
    post(definitions, body),
    until(`/apis/{group}/${version}/namespaces/{ns}/shops`, (_, code) => code === 200),
    until(`/apis/{group}/${version}`, (list) => JSON.stringify(list).includes('"shops"')),
  ];
}
