/**
 * Runs `task` again and again, `ms` after it ended each time, until the returned function is called. A run that fails is told to
 * `onError` and the next one comes all the same.
 */
export function repeat(ms: number, onError: (error: unknown) => void, task: () => Promise<unknown>): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    timer = setTimeout(async () => {
      try {
        await task();
      } catch (error) {
        onError(error);
      }
      if (!stopped) next();
    }, ms);
  };
  next();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
