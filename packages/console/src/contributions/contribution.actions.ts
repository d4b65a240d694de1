/** What a click on an input or output does: ask first where it must, call, say how it went. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { askFirst } from '../lib/confirm.ts'
import { showToast } from '../lib/toast.ts'
import { ACTION_FAILED, ACTION_WORKED, stopSentences } from './contribution.messages.ts'
import type { Link, LinkCommand } from './link.rules.ts'

function keyOf({ kind, id }: Link) {
  return [kind, 'action', id]
}

/** True while any command for this link is under way, whoever on this page gave it. */
export function useIsCommanded(link: Link): boolean {
  return useIsMutating({ mutationKey: keyOf(link) }) > 0
}

/** @returns gives a command; never throws, the toast says how it went */
export function useLinkCommand(link: Link) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: keyOf(link),
    mutationFn: async (command: LinkCommand) =>
      call(contributionAction, {
        body: { id: link.id, type: ACTION_TYPE[link.kind], actionType: command },
      }),
  })
  return async (command: LinkCommand): Promise<void> => {
    if (command === 'stop' && !(await isMeant(link))) return
    try {
      const { status, error } = await mutateAsync(command)
      if (status) showToast('success', ACTION_WORKED, `${link.title} ${PAST[command]}`)
      else showToast('failure', error || ACTION_FAILED, link.title)
    } catch (error) {
      showToast('failure', sentenceFor(error, ACTION_FAILED), link.title)
    }
    // Without push the answer is the only news: state, uptime and log are read again (CON-IN-22).
    void client.invalidateQueries({ queryKey: [link.kind, 'status', link.id] })
    void client.invalidateQueries({ queryKey: [link.kind, 'log', link.id] })
  }
}

async function isMeant(link: Link): Promise<boolean> {
  return askFirst({
    sentences: stopSentences(link.kind, link.title, link.outputs),
    doLabel: `Stop ${link.kind}`,
    keepLabel: 'Keep running',
  })
}

const PAST: Record<LinkCommand, string> = {
  start: 'started',
  stop: 'stopped',
  restart: 'restarted',
}
