/** Which of the selected links each action is about. */
import type { ProgramState } from '@trunkline/contract/program-state'
import { offersStop, type ProgramCommand } from '../../programs/command/command.rules.ts'
import { type Link, rightTo } from '../link.rules.ts'

type BulkView = Record<ProgramCommand | 'enable' | 'disable', readonly Link[]> & { running: number }

/** `stateOf`: null while it is not known; such a link is given no command. */
export function bulkView(
  links: readonly Link[],
  stateOf: (link: Link) => ProgramState | null,
): BulkView {
  const of = (command: ProgramCommand) =>
    links.filter((link) => {
      const state = stateOf(link)
      if (rightTo(command, link, state).kind !== 'may') return false
      return command === 'restart' || offersStop(state) === (command === 'stop')
    })
  return {
    start: of('start'),
    stop: of('stop'),
    restart: of('restart'),
    enable: links.filter(({ isEnabled }) => !isEnabled),
    disable: links.filter(({ isEnabled }) => isEnabled),
    running: links.filter((link) => link.isEnabled && stateOf(link) === 'running').length,
  }
}
