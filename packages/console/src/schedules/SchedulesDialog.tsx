/** The schedules of one object: when each is due next, how it went last, and what can be done with it. */
import { useQuery } from '@tanstack/react-query'
import type { Schedule, ScheduleSource } from '@trunkline/contract/schedules/schedule.schema'
import { useState } from 'react'
import { useStream } from '../lib/live/live-hooks.ts'
import type { OnAirObject } from '../lib/on-air.ts'
import { KIND_WORDS } from '../shared/kind.messages.ts'
import { QueryContent } from '../shared/page/QueryContent.tsx'
import { COMMAND_WORDS } from '../shared/schedules/schedule.messages.ts'
import { Button, IconButton } from '../ui/button/Button.tsx'
import { Switch } from '../ui/choice/Switch.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { Skeleton } from '../ui/notice/Skeleton.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { Tag } from '../ui/symbol/Tag.tsx'
import {
  scheduleName,
  useEnableSchedule,
  useIsChanging,
  useRemoveSchedule,
} from './schedule.actions.ts'
import { LIST_FAILED, OVER_WHY, runText, stateText, timesText } from './schedule.messages.ts'
import { schedulesOf } from './schedule.queries.ts'
import { ScheduleForm } from './ScheduleForm.tsx'
import classes from './Schedules.module.css'

interface SchedulesDialogProps {
  object: OnAirObject
  onClose: () => void
}

const NONE: readonly ScheduleSource[] = []
const NONE_ELSE: readonly Schedule[] = []

export function SchedulesDialog(props: SchedulesDialogProps) {
  return props.object.stream === undefined ? (
    <Schedules {...props} sources={NONE} />
  ) : (
    <ChannelSchedules {...props} stream={props.object.stream} />
  )
}

function ChannelSchedules({
  stream: { serverId, streamName },
  ...props
}: SchedulesDialogProps & { stream: NonNullable<OnAirObject['stream']> }) {
  const inputs = useStream(serverId, streamName)?.stream?.inputs ?? []
  return <Schedules {...props} sources={inputs.map(({ url }, index) => ({ index, url }))} />
}

type SchedulesProps = SchedulesDialogProps & { sources: readonly ScheduleSource[] }

function Schedules({ object, sources, onClose }: SchedulesProps) {
  const [edited, setEdited] = useState<Schedule | 'new' | null>(null)
  /** Where the focus goes when its form is closed. */
  const [lastId, setLastId] = useState('')
  const answer = useQuery(schedulesOf(object))
  if (edited !== null) {
    const schedule = edited === 'new' ? null : edited
    const close = () => {
      setLastId(schedule?.id ?? '')
      setEdited(null)
    }
    const others = answer.data?.data.filter(({ id }) => id !== schedule?.id) ?? NONE_ELSE
    return <ScheduleForm {...{ object, schedule, sources, others }} onClose={close} />
  }
  return (
    <Dialog
      title="Schedules"
      subtitle={`${KIND_WORDS[object.kind]} ${object.title}`}
      width={560}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button size={36} onClick={onClose}>
            Close
          </Button>
          <Button
            size={36}
            tone="primary"
            icon="plus"
            data-autofocus={lastId === '' || undefined}
            onClick={() => setEdited('new')}
          >
            Add schedule
          </Button>
        </>
      }
    >
      <QueryContent
        answer={answer}
        failedText={LIST_FAILED}
        waiting={<Skeleton kind="row" count={2} height={64} />}
      >
        {({ data }) => <ScheduleList schedules={data} focusedId={lastId} onEdit={setEdited} />}
      </QueryContent>
    </Dialog>
  )
}

interface ScheduleListProps {
  schedules: readonly Schedule[]
  /** Its button for changing it has the focus first; '' for none. */
  focusedId: string
  onEdit: (schedule: Schedule) => void
}

function ScheduleList({ schedules, focusedId, onEdit }: ScheduleListProps) {
  if (schedules.length === 0) {
    return (
      <Empty title="Nothing scheduled">
        A schedule starts or stops it at a time, once or every week. It is carried out with the
        rights that you have then.
      </Empty>
    )
  }
  return (
    <ul className={classes.list} aria-label="Schedules">
      {schedules.map((schedule) => (
        <ScheduleItem
          key={schedule.id}
          schedule={schedule}
          isFocused={schedule.id === focusedId}
          onEdit={() => onEdit(schedule)}
        />
      ))}
    </ul>
  )
}

interface ScheduleItemProps {
  schedule: Schedule
  isFocused: boolean
  onEdit: () => void
}

function ScheduleItem({ schedule, isFocused, onEdit }: ScheduleItemProps) {
  const { command, source, times, alsoOnAir, isEnabled, note, by, lastRun, nextAt } = schedule
  const isOver = isEnabled && nextAt === null
  const name = scheduleName(schedule)
  const isBusy = useIsChanging(schedule)
  const enable = useEnableSchedule(schedule)
  const remove = useRemoveSchedule(schedule)
  const disabledReason = isBusy ? '' : null
  const common = { tone: 'quiet', size: 28, disabledReason } as const
  const isBad = lastRun !== null && lastRun.outcome !== 'done' && lastRun.outcome !== 'running'
  return (
    <li className={classes.item}>
      <div className={classes.what}>
        <b>{COMMAND_WORDS[command]}</b> {timesText({ times })}
        {alsoOnAir && command !== 'start' && <Tag>Also while on air</Tag>}
      </div>
      <div className={classes.buttons}>
        <Switch
          label={`Enabled: ${name}`}
          isOn={isEnabled && !isOver}
          isBusy={isBusy}
          disabledReason={isOver ? OVER_WHY : null}
          onToggle={(isOn) => void enable(isOn)}
        />
        <IconButton
          {...common}
          icon="pencil"
          label={`Change ${name}`}
          data-autofocus={isFocused || undefined}
          onClick={onEdit}
        />
        <IconButton {...common} icon="bin" label={`Delete ${name}`} onClick={() => void remove()} />
      </div>
      <p className={classes.facts}>
        {stateText(schedule)}. {source !== null && `To source ${source.index + 1}, ${source.url}. `}
        {note !== '' && `${note}. `}Saved by {by}.
      </p>
      {lastRun !== null && (
        <p className={classes.facts} data-bad={isBad || undefined}>
          {isBad && <Shape shape="triangle" family="warn" />}
          <span>{runText(lastRun, times)}</span>
        </p>
      )}
    </li>
  )
}
