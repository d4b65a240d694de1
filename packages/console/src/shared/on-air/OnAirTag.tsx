/** That an object is on air: a lock and the words, beside its name. */
import type { OnAirKind } from '@trunkline/contract/on-air/on-air.schema'
import { memo } from 'react'
import { useOnAir } from '../../lib/live/live-hooks.ts'
import { Icon } from '../../ui/symbol/Icon.tsx'
import classes from './OnAirTag.module.css'

export const OnAirTag = memo(function OnAirTag({ kind, id }: { kind: OnAirKind; id: string }) {
  if (useOnAir(kind, id)?.isOnAir !== true) return null
  return (
    <span className={classes.tag} title="On air: its title must be typed before it is interrupted">
      <Icon name="lock" size={11} />
      On air
    </span>
  )
})
