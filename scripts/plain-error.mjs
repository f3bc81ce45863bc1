// @ts-check

/** A failure that the person at the terminal can mend: its message is one plain sentence and is printed without a stack. */
export class PlainError extends Error {
  /** @param {string} sentence @param {ErrorOptions} [options] */
  constructor(sentence, options) {
    super(sentence, options);
    this.name = "PlainError";
  }
}

/**
 * Prints a failure for the person at the terminal: a plain sentence alone, anything unexpected with its stack.
 * @param {unknown} error
 */
export function printFailure(error) {
  if (error instanceof PlainError) console.error(error.message);
  else console.error(error);
}
