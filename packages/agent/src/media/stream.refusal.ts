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
    const known = count === 0 ? 'It has none.' : `They are counted from 0 to ${count - 1}.`
    super(`This stream has no input ${index}. ${known}`)
  }
}
