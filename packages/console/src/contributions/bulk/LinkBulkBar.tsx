/** What can be done with the inputs or outputs that are selected. */
import type { ProgramState } from '@trunkline/contract/program-state'
import { useState } from 'react'
import { usePrograms } from '../../lib/live-hooks.ts'
import { programKey } from '../../lib/live-store.ts'
import { ACTION_FAILED, ACTION_WORKED } from '../../programs/command/command.messages.ts'
import { type ProgramCommand, offersStop } from '../../programs/command/command.rules.ts'
import * as text from '../contribution.messages.ts'
import { type Link, type LinkKind, rightTo } from '../link.rules.ts'
import type { BulkOutcome } from './bulk.rules.ts'
import { BulkBar, BulkButton, BulkLine } from './BulkBar.tsx'
import { type BulkDeed, useBulkCommand, useBulkRemove, useBulkStatus } from './link-bulk.actions.ts'

interface LinkBulkBarProps {
  kind: LinkKind
  links: readonly Link[]
  /** How many of them are on other pages. */
  elsewhere: number
  /** Opens the dialog of the one action that the two kinds do not share. */
  change: { label: string; icon: 'move'; open: () => void }
  tell: (
    outcome: BulkOutcome,
    of: readonly Link[],
    texts: { worked: string; failed: string },
  ) => void
  onGone: (done: readonly string[]) => void
  onClear: () => void
}

export function LinkBulkBar(props: LinkBulkBarProps) {
  const { kind, links } = props
  const programs = usePrograms()
  const view = bulkView(links, (link) => programs.get(programKey(kind, link.id))?.state ?? null)
  const deeds = useDeeds(props)
  const reasonFor = (some: readonly Link[], reason: string) =>
    deeds.isBusy ? '' : some.length === 0 ? reason : null
  const command = (name: ProgramCommand, label: string, icon: 'play' | 'stop' | 'restart') => (
    <BulkButton
      icon={icon}
      label={label}
      count={view[name].length}
      disabledReason={reasonFor(view[name], text.NONE_OF_THEM[name])}
      onClick={() => deeds.command(view[name], name)}
    />
  )
  return (
    <BulkBar
      of={`${kind}s`}
      count={links.length}
      detail={text.selectionText(view.running, view.enable.length, props.elsewhere)}
      onClear={props.onClear}
    >
      {command('start', 'Start', 'play')}
      {command('stop', 'Stop', 'stop')}
      {command('restart', 'Restart', 'restart')}
      <BulkLine />
      <BulkButton
        label="Enable"
        count={view.enable.length}
        disabledReason={reasonFor(view.enable, text.NONE_OF_THEM.enable)}
        onClick={() => deeds.status(view.enable, false, false)}
      />
      <BulkButton
        label="Disable"
        count={view.disable.length}
        disabledReason={reasonFor(view.disable, text.NONE_OF_THEM.disable)}
        onClick={() => deeds.status(view.disable, true, view.stop.length > 0)}
      />
      <BulkButton
        icon={props.change.icon}
        label={props.change.label}
        count={null}
        disabledReason={deeds.isBusy ? '' : null}
        onClick={props.change.open}
      />
      <BulkButton
        icon="bin"
        label="Delete"
        count={null}
        isDanger
        disabledReason={deeds.isBusy ? '' : null}
        onClick={() => void deeds.remove(links)}
      />
    </BulkBar>
  )
}

/** One at a time. */
function useDeeds({ kind, tell, onGone }: LinkBulkBarProps) {
  const [isBusy, setBusy] = useState(false)
  const giveCommand = useBulkCommand(kind)
  const setStatus = useBulkStatus(kind)
  const removeAll = useBulkRemove(kind)
  async function run(deed: BulkDeed, of: readonly Link[], texts: Parameters<typeof tell>[2]) {
    setBusy(true)
    const outcome = await deed.finally(() => setBusy(false))
    if (outcome !== null) tell(outcome, of, texts)
    return outcome
  }
  return {
    isBusy,
    command: (links: readonly Link[], name: ProgramCommand) =>
      void run(giveCommand(links, name), links, {
        worked: ACTION_WORKED,
        failed: ACTION_FAILED,
      }),
    status: (links: readonly Link[], isDisable: boolean, runs: boolean) =>
      void run(setStatus(links, isDisable, runs), links, {
        worked: text.STATUS_UPDATED,
        failed: text.STATUS_FAILED,
      }),
    remove: async (links: readonly Link[]) => {
      const texts = { worked: text.REMOVED[kind], failed: text.DELETE_FAILED }
      const outcome = await run(removeAll(links), links, texts)
      if (outcome === null) return
      const isDone = new Set(outcome.done)
      onGone(links.filter(({ id, name }) => isDone.has(id) || isDone.has(name)).map(({ id }) => id))
    },
  }
}

type BulkView = Record<ProgramCommand | 'enable' | 'disable', readonly Link[]> & { running: number }

/**
 * Which of the selected links each action is about. `stateOf`: null while it is not known; such a link
 * is given no command.
 */
function bulkView(links: readonly Link[], stateOf: (link: Link) => ProgramState | null): BulkView {
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
