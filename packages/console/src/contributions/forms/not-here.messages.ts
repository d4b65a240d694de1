/** Why a form does not open. */
import type { LinkKind } from '../link.rules.ts'

export const NO_ANSWER = 'The console server did not answer, or refused.'
export const NO_FEEDER = 'This feeder does not exist.'
export const NOT_READ: Readonly<Record<LinkKind, string>> = {
  input: 'This input could not be read.',
  output: 'This output could not be read.',
}
export const NOT_THERE: Readonly<Record<LinkKind, string>> = {
  input: 'This input does not exist.',
  output: 'This output does not exist.',
}
export const NOT_THERE_WHY = 'It was deleted, or it belongs to another group.'
