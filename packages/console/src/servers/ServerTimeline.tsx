import { useHost } from '../lib/live/live-hooks.ts'
import { TIMELINE_DIALOG } from '../programs/timeline/timeline.loader.ts'
import { LaterDialog } from '../shared/page/Later.tsx'

interface ServerTimelineProps {
  server: { id: string; title: string }
  onClose: () => void
}

/** Read again when the server comes or goes. */
export function ServerTimeline({ server: { id, title }, onClose }: ServerTimelineProps) {
  const isOnline = useHost('server', id)?.online
  return (
    <LaterDialog
      part={TIMELINE_DIALOG}
      props={{ object: { kind: 'server', id, title }, cue: String(isOnline), onClose }}
    />
  )
}
