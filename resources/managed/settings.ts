import { image, integer } from '../../packages/controller/server/forms.ts';
import type { Settings, ValuesOf } from '../../packages/controller/server/settings.ts';
import type { Tools } from './resources.ts';

/** What the environment decides for these resources: docs/configuration.md. */
export const settings = {
  /** For one question to the Envoy of a tunnel; 0: none is asked. */
  TUNNEL_TIMEOUT_MS: { default: '500', form: integer(0, 1000) },
  FRPC_IMAGE: { default: 'fatedier/frpc:v0.71.1', form: image },
  ENVOY_IMAGE: { default: 'envoyproxy/envoy:distroless-v1.40.0', form: image },
  MESSAGE_IMAGE: { default: 'busybox:1.37.0', form: image },
} as const satisfies Settings;

export type Own = ValuesOf<typeof settings>;

/** The images that Pods are made of. */
export function imagesOf({ FRPC_IMAGE: frpc, ENVOY_IMAGE: envoy, MESSAGE_IMAGE: message }: Own): Tools['images'] {
  return { frpc, envoy, message };
}
