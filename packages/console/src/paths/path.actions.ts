import { useNavigate } from '@tanstack/react-router'
import type { MenuAction } from '../ui/button/Menu.tsx'
import { PATH } from './path.messages.ts'
import type { PathObject } from './path.queries.ts'

/** In the menu of a row: opens the page of its signal path. */
export function usePathAction({ kind, id }: PathObject): MenuAction {
  const navigate = useNavigate()
  return {
    label: PATH,
    icon: 'path',
    tone: 'plain',
    does: () => void navigate({ to: '/dashboard/path/$kind/$id', params: { kind, id } }),
  }
}
