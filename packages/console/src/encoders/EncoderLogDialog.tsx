import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useState } from 'react'
import { useProgram } from '../lib/live/live-hooks.ts'
import { LogDialog } from '../programs/log/LogDialog.tsx'
import { cueOfProgram } from '../programs/timeline/timeline.rules.ts'
import { TimelineDialog } from '../programs/timeline/TimelineDialog.tsx'
import { LOG_TITLE, NO_RESPONSE } from './encoder.messages.ts'
import { encoderLogQuery } from './encoder.queries.ts'

interface EncoderLogDialogProps {
  encoder: Encoder
  onClose: () => void
}

/** 'Encoder logs', and in its place the timeline. */
export function EncoderLogDialog({ encoder, onClose }: EncoderLogDialogProps) {
  const [isTimeline, setTimeline] = useState(false)
  const status = useProgram('encoder', encoder._id)
  if (isTimeline) {
    return (
      <TimelineDialog
        object={{ kind: 'encoder', id: encoder._id, title: encoder.title }}
        cue={cueOfProgram(status)}
        onLog={() => setTimeline(false)}
        onClose={onClose}
      />
    )
  }
  return (
    <LogDialog
      title={LOG_TITLE}
      subtitle={encoder.title}
      level={3}
      queryFor={(use) => encoderLogQuery(encoder, use)}
      failedText={NO_RESPONSE}
      onTimeline={() => setTimeline(true)}
      onClose={onClose}
    />
  )
}
