/** What can be done with the inputs or outputs that are selected. */
import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import type { ProgramState } from '@trunkline/contract/program-state'
import { useState } from 'react'
import { usePrograms } from '../../lib/live/live-hooks.ts'
import { ACTION_FAILED, ACTION_WORKED } from '../../programs/command/command.messages.ts'
import { type ProgramCommand, offersStop } from '../../programs/command/command.rules.ts'
import * as text from '../contribution.messages.ts'
import * as bulkText from './bulk.messages.ts'
import { type BulkItem, type LinkKind, rightTo } from '../link.rules.ts'
import type { BulkOutcome, OnProgress } from './bulk.rules.ts'
import { BulkBar, BulkButton, BulkLine } from './BulkBar.tsx'
import {
  type BulkDeed,
  useBulkCommand,
  useBulkRemove,
  useBulkStatus,
  withReadTitles,
} from './link-bulk.actions.ts'
import { WATCHED_ITEMS, type MatchingOffer } from './matching.hook.ts'

interface LinkBulkBarProps {
  kind: LinkKind
  links: readonly BulkItem[]
  /** How many of them are on other pages. */
  elsewhere: number
  /** Opens the dialog of the one action that the two kinds do not share. */
  change: { label: string; icon: 'move'; open: () => void; disabledReason: string | null }
  /** To select all that match, once all of the page are selected; null where there are no more. */
  offer: MatchingOffer | null
  showOutcome: (
    outcome: BulkOutcome,
    of: readonly BulkItem[],
    texts: { worked: string; failed: string },
  ) => void
  onGone: (done: readonly string[]) => void
  onClear: () => void
}

export function LinkBulkBar(props: LinkBulkBarProps) {
  const { kind, links } = props
  const programs = usePrograms(watchedOf(kind, links))
  const view = bulkView(
    links,
    (link) => programs.get(programKey(kind, link.id))?.state ?? link.matchedState,
  )
  const deeds = useDeeds(props)
  const reasonFor = (some: readonly BulkItem[], reason: string) =>
    deeds.isBusy ? '' : some.length === 0 ? reason : null
  const command = (name: ProgramCommand, label: string, icon: 'play' | 'stop' | 'restart') => (
    <BulkButton
      icon={icon}
      label={label}
      count={view[name].length}
      disabledReason={reasonFor(view[name], bulkText.NONE_OF_THEM[name])}
      onClick={() => deeds.command(view[name], name)}
    />
  )
  return (
    <BulkBar
      of={text.PLURALS[kind]}
      count={links.length}
      detail={
        deeds.progress === null
          ? text.selectionText(view.running, view.enable.length, props.elsewhere)
          : text.progressText(deeds.progress)
      }
      offer={props.offer}
      onClear={props.onClear}
    >
      {command('start', 'Start', 'play')}
      {command('stop', 'Stop', 'stop')}
      {command('restart', 'Restart', 'restart')}
      <BulkLine />
      <BulkButton
        label="Enable"
        count={view.enable.length}
        disabledReason={reasonFor(view.enable, bulkText.NONE_OF_THEM.enable)}
        onClick={() => deeds.status(view.enable, false, false)}
      />
      <BulkButton
        label="Disable"
        count={view.disable.length}
        disabledReason={reasonFor(view.disable, bulkText.NONE_OF_THEM.disable)}
        onClick={() => deeds.status(view.disable, true, view.stop.length > 0)}
      />
      <BulkButton
        icon={props.change.icon}
        label={props.change.label}
        count={null}
        disabledReason={deeds.isBusy ? '' : props.change.disabledReason}
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

/** Of more than a screen holds the API has named the states. */
function watchedOf(kind: LinkKind, links: readonly BulkItem[]): string[] {
  return links
    .filter(({ isRead }) => isRead)
    .slice(0, WATCHED_ITEMS)
    .map(({ id }) => programKey(kind, id))
}

interface Progress {
  answered: number
  of: number
}

/** One at a time. */
function useDeeds({ kind, showOutcome, onGone }: LinkBulkBarProps) {
  const [progress, setProgress] = useState<Progress | null>(null)
  const giveCommand = useBulkCommand(kind)
  const setStatus = useBulkStatus(kind)
  const removeAll = useBulkRemove(kind)
  async function run(
    start: (onProgress: OnProgress) => BulkDeed,
    of: readonly BulkItem[],
    texts: Parameters<typeof showOutcome>[2],
  ) {
    setProgress({ answered: 0, of: of.length })
    const deed = start((answered) => setProgress({ answered, of: of.length }))
    const outcome = await deed.finally(() => setProgress(null))
    if (outcome !== null) showOutcome(outcome, await withReadTitles(of, outcome.failed), texts)
    return outcome
  }
  return {
    isBusy: progress !== null,
    /** Null while nothing is done, or nothing of it is answered yet. */
    progress: progress === null || progress.answered === 0 ? null : progress,
    command: (links: readonly BulkItem[], name: ProgramCommand) =>
      void run(async (onProgress) => giveCommand(links, name, onProgress), links, {
        worked: ACTION_WORKED,
        failed: ACTION_FAILED,
      }),
    status: (links: readonly BulkItem[], isDisable: boolean, runs: boolean) =>
      void run(async (onProgress) => setStatus(links, isDisable, runs, onProgress), links, {
        worked: text.STATUS_UPDATED,
        failed: text.STATUS_FAILED,
      }),
    remove: async (links: readonly BulkItem[]) => {
      const texts = { worked: text.REMOVED[kind], failed: text.DELETE_FAILED }
      const outcome = await run(async (onProgress) => removeAll(links, onProgress), links, texts)
      if (outcome === null) return
      const isDone = new Set(outcome.done)
      onGone(links.filter(({ id, name }) => isDone.has(id) || isDone.has(name)).map(({ id }) => id))
    },
  }
}

type BulkView = Record<ProgramCommand | 'enable' | 'disable', readonly BulkItem[]> & {
  running: number
}

/**
 * Which of the selected links each action is about. `stateOf`: null while it is not known; such a link
 * is given no command.
 */
function bulkView(
  links: readonly BulkItem[],
  stateOf: (link: BulkItem) => ProgramState | null,
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
