/** Lets callers wait until there is room, or until all are let in. */
export function keepRoom(hasRoom: () => boolean) {
  let next = Promise.withResolvers<void>();
  let isOpen = false;
  const letIn = (): void => {
    next.resolve();
    next = Promise.withResolvers<void>();
  };
  return {
    wait: async (): Promise<void> => {
      while (!isOpen && !hasRoom()) await next.promise;
    },
    look: (): void => {
      if (hasRoom()) letIn();
    },
    open: (): void => {
      isOpen = true;
      letIn();
    },
  };
}
