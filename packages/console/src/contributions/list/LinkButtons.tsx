/** Start or Stop, Restart, Log as icons and the rest in a menu; the wanted fix alone is ink. */
import type { ProgramState } from '@trunkline/contract/program-state'
import { BUTTON_KEYS } from '../../lib/row-keys.ts'
import { offersStop } from '../../programs/command/command.rules.ts'
import { CommandButtons } from '../../programs/command/CommandButtons.tsx'
import { Menu } from '../../ui/button/Menu.tsx'
import { RowButton } from '../../ui/button/RowButton.tsx'
import { useLinkCommand } from '../contribution.actions.ts'
import { type Link, rightTo } from '../link.rules.ts'
import { type LinkDialogs, useLinkMenu } from './link-menu.hook.ts'

interface LinkButtonsProps extends LinkDialogs {
  link: Link
  state: ProgramState | null
  isBusy: boolean
  /** Stopped although it should run: starting it is the fix. */
  isWrong: boolean
}

export function LinkButtons({ link, state, isBusy, isWrong, ...open }: LinkButtonsProps) {
  const give = useLinkCommand(link)
  const { log, groups } = useLinkMenu(link, offersStop(state), open)
  return (
    <>
      <CommandButtons
        title={link.title}
        state={state}
        rightTo={(command) => rightTo(command, link, state)}
        isBusy={isBusy}
        fix={isWrong ? 'start' : null}
        icons={['start', 'stop', 'restart']}
        tone="quiet"
        give={give}
      />
      {log !== null && <RowButton action={log} aria-keyshortcuts={BUTTON_KEYS.log} />}
      <Menu label={`More for ${link.title}`} disabledReason={isBusy ? '' : null} groups={groups} />
    </>
  )
}
