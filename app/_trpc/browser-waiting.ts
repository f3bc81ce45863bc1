import type { Waiting } from "@/client/poll";

/** Time as a page has it: `performance.now` only ever grows, whatever happens to the clock on the wall. */
export const browserWaiting: Waiting = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done, { once: true });
      function done() {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        if (signal.aborted) reject(signal.reason);
        else resolve();
      }
    }),
};
