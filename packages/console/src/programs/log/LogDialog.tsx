/** The dialog around a program's log: tools above, lines below. Reading the log is the feature's. */
import { useState } from 'react'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import type { ShownLevel } from './log-line.rules.ts'
import { LogTools, LogViewer } from './LogViewer.tsx'

interface LogDialogProps {
  title: string
  subtitle: string
  /** Null until the first answer, or its failure, has come. */
  text: string | null
  failure: string
  /** The lines shown at first; the reader may choose others. */
  level: ShownLevel
  isFollowing: boolean
  onFollow: (isFollowing: boolean) => void
  onRefresh: () => void
  onClose: () => void
}

export function LogDialog({ title, subtitle, text, failure, ...log }: LogDialogProps) {
  const [isWrapped, setWrapped] = useState(true)
  const [level, setLevel] = useState(log.level)
  return (
    <Dialog
      title={title}
      subtitle={subtitle}
      width={720}
      isOpen
      isFlush
      onClose={log.onClose}
      headerRight={
        <LogTools
          text={text ?? ''}
          isFollowing={log.isFollowing}
          isWrapped={isWrapped}
          level={level}
          onLevel={setLevel}
          onFollow={log.onFollow}
          onWrap={setWrapped}
          onRefresh={log.onRefresh}
        />
      }
    >
      <LogViewer
        text={text}
        failure={failure}
        isFollowing={log.isFollowing}
        isWrapped={isWrapped}
        level={level}
        onLevel={setLevel}
      />
    </Dialog>
  )
}
