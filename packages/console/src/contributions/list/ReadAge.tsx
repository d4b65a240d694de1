/** In the head of the table: how old the oldest reading is that its rows show as fresh. */
import { STALE_AFTER_MS } from '@trunkline/contract/fleet/state-view.rules'
import { useApiNow, usePrograms } from '../../lib/live-hooks.ts'
import { programKey } from '../../lib/live-store.ts'
import { agoText } from '../../shared/format.ts'
import type { LinkKind } from '../link.rules.ts'
import classes from './ReadAge.module.css'

interface ReadAgeProps {
  kind: LinkKind
  rows: readonly { id: string }[]
}

/** Nothing where no row has a fresh reading; rows with an old one tell its age themselves. */
export function ReadAge({ kind, rows }: ReadAgeProps) {
  const programs = usePrograms()
  const nowMs = useApiNow()
  const ages = rows.flatMap(({ id }) => {
    const status = programs.get(programKey(kind, id))
    if (status?.state !== 'running' || status.reading === null) return []
    const ageMs = nowMs - status.reading.atMs
    return ageMs > STALE_AFTER_MS ? [] : [Math.max(0, ageMs)]
  })
  if (ages.length === 0) return null
  const oldestMs = ages.reduce((oldest, age) => Math.max(oldest, age), 0)
  return <span className={classes.age}>read {agoText(oldestMs)}</span>
}
