import { withNet } from '../../packages/controller/decide/net.ts';
import type { Resource } from '../../packages/controller/decide/resource.ts';
import { distributedService } from '../distributed-service/distributed-service.ts';
import type { ServiceTools } from '../distributed-service/given.ts';
import { message } from '../message/message.ts';

/** What the resources need of the outside. */
export interface Tools extends ServiceTools {
  readonly images: ServiceTools['images'] & { readonly message: string };
}

/** The custom resources that Knudge manages: the only list. */
export function resourcesWith(tools: Tools): readonly Resource[] {
  const all = [distributedService(tools), message(tools.images.message)];
  return all.map((one) => withNet(one, all));
}
