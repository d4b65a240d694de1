/** A change of a stream that cannot be made as asked: the field, and what is wrong with it. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused'
  readonly field: string

  constructor(field: string, sentence: string) {
    super(`${field} ${sentence}`)
    this.field = field
  }
}

export class StreamUnknown extends Error {
  override readonly name = 'StreamUnknown'

  constructor(name: string) {
    super(`This server has no stream '${name}'.`)
  }
}

export class InputUnknown extends Error {
  override readonly name = 'InputUnknown'

  /** `count`: how many the stream has. */
  constructor(index: number, count: number) {
    super(`Input ${index} does not exist; ${remedyFor(count)}`)
  }
}

function remedyFor(count: number): string {
  if (count === 0) return 'this stream has no inputs.'
  if (count === 1) return 'use 0.'
  return count === 2 ? 'use 0 or 1.' : `use 0 to ${count - 1}.`
}
