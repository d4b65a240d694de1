/** A program that cannot be built as asked. The message is an operator's sentence: cause and fix. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}
