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
  const [page] = useState<PlaceValues>({ serverId, groupId, unticked: { serverId, names: [] } })
  const [values, setValues] = useState(page)
  const [place, setPlace] = useState<SyncPlace | null>(null)
  if (place !== null) {
    return (
      <SyncStreams
        place={place}
        page={page}
        initial={values}
        onBack={() => {
          setValues({ ...values, unticked: page.unticked })
          setPlace(null)
        }}
        onClose={onClose}
      />
    )
  }
  return (
    <SyncPlaceForm
      initial={values}
      onChosen={(chosen, names) => {
        const { _id } = chosen.server
        const unticked = { serverId: _id, names }
        setValues({ serverId: _id, groupId: chosen.group?._id ?? '', unticked })
        setPlace(chosen)
      }}
      onClose={onClose}
    />
  )
}
