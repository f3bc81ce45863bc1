/** The bytes are not what the syntax of ISO 32000-2, 7.2 and 7.3 allows at `offset`. */
export class SyntaxFault extends Error {
  override readonly name = "SyntaxFault";
  constructor(
    readonly reason: string,
    readonly offset: number,
  ) {
    super(reason);
  }
}
