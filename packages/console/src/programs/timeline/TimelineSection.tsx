/** The timeline in the opened row of a table: closed at first, and read once it is opened. */
import { useId, useState } from 'react'
import { Icon } from '../../ui/symbol/Icon.tsx'
import { Timeline } from './Timeline.tsx'
import type { NamedObject } from './timeline-csv.rules.ts'
import { TIMELINE } from './timeline.messages.ts'
import classes from './Timeline.module.css'

interface TimelineSectionProps {
  object: NamedObject
  cue: string
}

export function TimelineSection({ object, cue }: TimelineSectionProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={classes.section}>
      <button
        type="button"
        className={classes.opener}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={`${TIMELINE} of ${object.title}`}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'down' : 'right'} size={13} />
        {TIMELINE}
      </button>
      {isOpen && (
        <div id={id}>
          <Timeline object={object} cue={cue} />
        </div>
      )}
    </div>
  )
}
