/** The host answered that it will not or cannot; its message is an operator's sentence. */
export class HostFault extends Error {
  readonly code: 'not_found' | 'refused' | 'invalid' | 'failed'

  constructor(code: HostFault['code'], message: string) {
    super(message)
    this.code = code
  }
}
