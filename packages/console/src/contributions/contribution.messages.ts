/** What the Contributions pages say. The texts of the error catalogue are letter for letter. */

export const ACTION_WORKED = 'Action worked success'
export const ACTION_FAILED = 'Something went wrong'

export const LIST_FAILED = {
  input: 'The list of inputs could not be read.',
  output: 'The list of outputs could not be read.',
} as const

export const INERT = {
  disabled: 'It is disabled. Enable it first.',
  local: 'A Local input has no program of its own to start or stop.',
  notRunning: 'It does not run. Start it instead.',
  notRead: 'Its state is not known yet.',
} as const

export const NO_LOG = {
  local: 'A Local input has no program of its own, so it has no log.',
} as const

/** What stopping a link does to what hangs behind it. */
export function stopSentences(kind: 'input' | 'output', title: string, outputs: number): string[] {
  const first = `Stop ${title}.`
  if (kind === 'output') return [first, 'Its destination gets no stream until it is started again.']
  if (outputs === 0) return [first, 'It receives nothing until it is started again.']
  return [
    first,
    outputs === 1 ? 'Its output loses its stream.' : `Its ${outputs} outputs lose their stream.`,
  ]
}
