/** Which of the selected links each action is about. */
import type { ProgramState } from '@trunkline/contract/program-state'
import { disabledReason, type Link, type LinkCommand, offersStop } from '../link.rules.ts'

type BulkView = Record<LinkCommand | 'enable' | 'disable', readonly Link[]> & { running: number }

/** `stateOf`: null while it is not known; such a link is given no command. */
export function bulkView(
  links: readonly Link[],
  stateOf: (link: Link) => ProgramState | null,
): BulkView {
  const of = (command: LinkCommand) =>
    links.filter((link) => {
      const state = stateOf(link)
      if (disabledReason(command, link, state) !== null) return false
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
