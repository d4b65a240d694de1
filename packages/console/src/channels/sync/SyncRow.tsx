import { useId } from 'react'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { UNKNOWN } from '../../shared/format.ts'
import { StateChip } from '../../shared/state/StateChip.tsx'
import { Tick } from '../../ui/choice/Checkbox.tsx'
import { NOT_SAVABLE } from '../channel.messages.ts'
import { viewOfStream } from '@trunkline/contract/channels/stream-view.rules'
import { mediaText } from '../channel-view.rules.ts'
import { joinsGroup, type SyncEntry, type SyncPlace } from './sync.rules.ts'
import classes from './SyncRow.module.css'

interface SyncRowProps {
  entry: SyncEntry
  place: SyncPlace
  isOn: boolean
  /** Why it was refused; '' when it was not. */
  fault: string
  onToggle: (isOn: boolean) => void
}

export function SyncRow({ entry, place, isOn, fault, onToggle }: SyncRowProps) {
  const { name, title, stream, saved, isSavable } = entry
  const id = useId()
  const reason = isSavable ? fault : NOT_SAVABLE
  const media = mediaText(stream)
  // As the server said it a moment ago; a push that broke says nothing about that.
  const view = viewOfStream(stream, { nowMs: useApiNow(), isLoaded: true, brokenSinceMs: null })
  return (
    <label className={classes.row} htmlFor={`${id}-tick`} data-inert={!isSavable || undefined}>
      <Tick
        id={`${id}-tick`}
        checked={isSavable && isOn}
        disabled={!isSavable}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-tag ${id}-facts`}
        onChange={onToggle}
      />
      <span className={classes.text}>
        <span className={classes.line}>
          <span id={`${id}-name`} className={classes.name}>
            <b title={title}>{title}</b> {title !== name && <code title={name}>{name}</code>}
          </span>
          <span id={`${id}-tag`} className={classes.tag} data-new={saved === null || undefined}>
            {tagOf(entry, place)}
          </span>
        </span>
        <span id={`${id}-facts`} className={classes.facts}>
          <StateChip view={view} />{' '}
          <span className={classes.media}>{media === UNKNOWN ? '' : media}</span>
          {reason !== '' && <span className={classes.fault}>{reason}</span>}
        </span>
      </span>
    </label>
  )
}

function tagOf(entry: SyncEntry, place: SyncPlace): string {
  if (entry.saved === null) return 'New'
  return joinsGroup(entry, place)
    ? `In the list, will be added to ${place.group?.title ?? ''}`
    : 'In the list'
}
