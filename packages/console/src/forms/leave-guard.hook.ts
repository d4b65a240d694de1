/** Q89: nobody leaves with unsaved changes unasked, by a link, by a key, or by closing the tab. */
import { useBlocker } from '@tanstack/react-router'
import { askFirst } from '../lib/confirm.ts'
import { readSession } from '../lib/session.ts'
import { leaveSentences } from './unsaved.messages.ts'

export function useLeaveGuard(title: string, changes: number): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // Another tab of this page is no leaving; who is signed out cannot stay.
      if (current.pathname === next.pathname || readSession() === null) return false
      return !(await askFirst({
        sentences: leaveSentences(title, changes),
        doLabel: 'Leave without saving',
        keepLabel: 'Stay here',
      }))
    },
    enableBeforeUnload: changes > 0,
    disabled: changes === 0,
  })
}
