/** The last lines of a program's log: tools above, lines below; read anew while the reader follows. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceFor } from '../../lib/api-error.ts'
import { OldAnswer } from '../../shared/page/OldAnswer.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { TIMELINE } from '../timeline/timeline.messages.ts'
import type { ShownLevel } from './log-line.rules.ts'
import type { LogQuery, LogUse } from './log.queries.ts'
import { LogTools, LogViewer } from './LogViewer.tsx'

const LOG_FAILED = 'The log could not be read.'

interface LogDialogProps {
  title: string
  /** Of the program. */
  subtitle: string
  /** The lines shown at first; the reader may choose others. */
  level: ShownLevel
  queryFor: (use: LogUse) => LogQuery
  /** Where the log could not be read, and nobody says why. */
  failedText: string
  /** Shows the timeline of the program instead; absent where that is elsewhere. */
  onTimeline?: (() => void) | undefined
  onClose: () => void
}

export function LogDialog({ title, subtitle, queryFor, failedText, ...log }: LogDialogProps) {
  const [isFollowing, setFollowing] = useState(true)
  const [isWrapped, setWrapped] = useState(true)
  const [level, setLevel] = useState(log.level)
  const answer = useQuery(queryFor(isFollowing ? 'follow' : 'once'))
  const { data, error, refetch } = answer
  const text = data?.results ?? (error === null ? null : '')
  const failure = data?.error ?? (error === null ? '' : sentenceFor(error, failedText))
  return (
    <Dialog
      title={title}
      subtitle={subtitle}
      width={720}
      isOpen
      isFlush
      onClose={log.onClose}
      headerRight={
        <>
          {log.onTimeline !== undefined && (
            <Button size={28} icon="history" onClick={log.onTimeline}>
              {TIMELINE}
            </Button>
          )}
          <LogTools
            text={text ?? ''}
            isFollowing={isFollowing}
            isWrapped={isWrapped}
            level={level}
            onLevel={setLevel}
            onFollow={setFollowing}
            onWrap={setWrapped}
            onRefresh={() => void refetch()}
          />
        </>
      }
    >
      <OldAnswer answer={answer} failedText={LOG_FAILED} />
      <LogViewer
        text={text}
        failure={failure}
        isFollowing={isFollowing}
        isWrapped={isWrapped}
        level={level}
        onLevel={setLevel}
      />
    </Dialog>
  )
}
