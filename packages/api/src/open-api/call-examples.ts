/** Examples of the API reference, printed from calls that tests have made: CONTRIBUTING.md says by which command. */
import examples from './call-examples.json' with { type: 'json' }

export interface CallExample {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  answer: unknown
}

/** By the name of the call. A secret reads 'not-shown-here', ids and times are no real ones. */
export const CALL_EXAMPLES: Readonly<Record<string, CallExample>> = examples
