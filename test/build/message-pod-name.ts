import { message } from '../../resources/message/message.ts';

/** What the Pod of a Message is called. */
export function messagePodName(name: string): string {
  const owner = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'default', name };
  return message('busybox').children(owner).get('pod')?.name ?? '';
}
