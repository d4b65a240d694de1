/** That an encoder does not do quite what was saved for it; the whole sentence is behind the words. */
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { memo } from 'react'
import { Tip } from '../ui/hint/Tip.tsx'
import { noteOf } from './encoder.rules.ts'
import classes from './StatusNote.module.css'

export const StatusNote = memo(function StatusNote({ status }: { status: ProgramStatus | null }) {
  const note = noteOf(status)
  if (note === null) return null
  return (
    <span className={classes.note}>
      <Tip text={note.sentence}>{note.word}</Tip>
    </span>
  )
})
