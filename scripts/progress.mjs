// @ts-check

/** Where progress goes: commands whose stdout is their answer show it on stderr. */
let stream = process.stdout;

/** @param {typeof process.stdout} other */
export function showProgressOn(other) {
  stream = other;
}

/**
 * Runs `work` and shows that it goes on: on a terminal one line that counts the seconds, elsewhere one line at the start
 * and one at the end. Returns what `work` returns.
 * @template T
 * @param {string} label such as "Building pages…"
 * @param {() => Promise<T> | T} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const startedAt = Date.now();
  const line = () => `${label} ${Math.round((Date.now() - startedAt) / 1000)} s`;
  const live = stream.isTTY === true;
  stream.write(live ? label : `${label}\n`);
  const timer = setInterval(() => {
    if (live) stream.write(`\r${line()}`);
  }, 1000);
  timer.unref();
  try {
    const result = await work();
    stream.write(live ? `\r${line()}\n` : `${line()}\n`);
    return result;
  } catch (error) {
    if (live) stream.write("\n");
    throw error;
  } finally {
    clearInterval(timer);
  }
}
