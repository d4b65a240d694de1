/** Makes streams of a media server into channels: first which server, then which of its streams. */
import { useState } from 'react'
import type { SyncPlace } from './sync.rules.ts'
import { SyncPlaceForm, type PlaceValues } from './SyncPlaceForm.tsx'
import { SyncStreams } from './SyncStreams.tsx'

interface SyncDialogProps {
  /** What the page shows now, to begin with; '' for all. */
  serverId: string
  groupId: string
  onClose: () => void
}

export function SyncDialog({ serverId, groupId, onClose }: SyncDialogProps) {
  const [values, setValues] = useState<PlaceValues>({ serverId, groupId })
  const [place, setPlace] = useState<SyncPlace | null>(null)
  if (place !== null) {
    return <SyncStreams place={place} onBack={() => setPlace(null)} onClose={onClose} />
  }
  return (
    <SyncPlaceForm
      initial={values}
      onChosen={(chosen) => {
        setValues({ serverId: chosen.server._id, groupId: chosen.group?._id ?? '' })
        setPlace(chosen)
      }}
      onClose={onClose}
    />
  )
}
