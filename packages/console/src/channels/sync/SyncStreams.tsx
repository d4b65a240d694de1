/** Second step of Sync: the server's streams, all ticked, and saving those that still are. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceFor } from '../../lib/api-error.ts'
import { useBrowserNow } from '../../lib/clock.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Band, Empty } from '../../ui/notice/Notice.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import * as text from '../channel.messages.ts'
import { readingText } from '../channel.messages.ts'
import { type SyncFailure, useSaveStreams } from './sync.actions.ts'
import { syncListQuery } from './sync.queries.ts'
import { draftsOf, type SyncEntry, type SyncPlace } from './sync.rules.ts'
import { SyncList } from './SyncList.tsx'
import classes from './SyncStreams.module.css'
import { useBlocker } from '@tanstack/react-router'
import { readSession } from '../../lib/session.ts'

interface SyncStreamsProps {
  place: SyncPlace
  onBack: () => void
  onClose: () => void
}

const NO_ENTRIES: readonly SyncEntry[] = []

export function SyncStreams({ place, onBack, onClose }: SyncStreamsProps) {
  const list = useQuery(syncListQuery(place.server._id))
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set())
  const saving = useSaveStreams(onClose)
  const leaving = useLeaveQuestion(unticked.size > 0)
  const entries = (list.isSuccess && list.data.entries) || NO_ENTRIES
  const ticked = entries.filter(({ name, isSavable }) => isSavable && !unticked.has(name))
  const leaveBy = (leave: () => void) => () => {
    if (saving.isPending) return
    void leaving.ask().then((isConfirmed) => isConfirmed && leave())
  }
  const change = (next: ReadonlySet<string>) => {
    saving.reset()
    setUnticked(next)
  }
  const { server, group } = place
  return (
    <Dialog
      title="Sync channels"
      subtitle={group === null ? server.title : `${server.title}, for ${group.title}`}
      width={560}
      isOpen
      onClose={leaveBy(onClose)}
      footer={
        leaving.isAsking ? (
          <Question unticked={unticked.size} onAnswer={leaving.answer} />
        ) : (
          <>
            <span className={classes.back}>
              <Button size={36} tone="quiet" icon="left" onClick={leaveBy(onBack)}>
                Back
              </Button>
            </span>
            <Button size={36} disabledReason={saving.isPending ? '' : null} onClick={onClose}>
              Close
            </Button>
            <Button
              size={36}
              tone="primary"
              disabledReason={saving.isPending ? '' : disabledReason(list, entries, ticked)}
              aria-busy={saving.isPending || undefined}
              onClick={() => saving.save(draftsOf(ticked, place))}
            >
              Save
            </Button>
          </>
        )
      }
    >
      <div className={classes.body}>
        {list.isFetching && <SyncReading server={server.title} />}
        {list.isError && !list.isFetching && (
          <Empty
            title={text.streamsFailed(server.title)}
            action={<Button onClick={() => void list.refetch()}>Retry</Button>}
          >
            {sentenceFor(list.error, text.STREAMS_FAILED)}
          </Empty>
        )}
        {list.isSuccess && entries.length === 0 && <NoStreams place={place} />}
        {entries.length > 0 && (
          <SyncList
            entries={entries}
            place={place}
            unticked={unticked}
            faults={saving.failure?.faults ?? NO_FAULTS}
            isLocked={saving.isPending}
            onChange={change}
          />
        )}
        {list.isSuccess && list.data.gone.length > 0 && (
          <p className={classes.gone}>{text.goneText(list.data.gone.map(({ title }) => title))}</p>
        )}
        <div role="alert">
          {saving.failure !== null && (
            <Refusal
              failure={saving.failure}
              onLeaveOut={(names) => change(new Set([...unticked, ...names]))}
            />
          )}
        </div>
      </div>
    </Dialog>
  )
}

const NO_FAULTS: ReadonlyMap<string, string> = new Map()

function disabledReason(
  list: { isFetching: boolean; isError: boolean },
  entries: readonly SyncEntry[],
  ticked: readonly SyncEntry[],
): string | null {
  if (list.isFetching) return text.SAVE_INERT.reading
  if (list.isError) return text.SAVE_INERT.failed
  if (entries.length === 0) return text.SAVE_INERT.none
  return ticked.length === 0 ? text.SAVE_INERT.nothingTicked : null
}

function NoStreams({ place: { server, group } }: { place: SyncPlace }) {
  return (
    <Empty title={text.noStreams(server.title)}>
      {group === null ? text.NO_STREAMS.admin : text.NO_STREAMS.manager}
    </Empty>
  )
}

interface RefusalProps {
  failure: SyncFailure
  onLeaveOut: (names: Iterable<string>) => void
}

function Refusal({ failure: { sentence, faults, savedBefore }, onLeaveOut }: RefusalProps) {
  return (
    <Band
      family="bad"
      shape="octagon"
      action={
        faults.size > 0 && (
          <Button size={28} onClick={() => onLeaveOut(faults.keys())}>
            {faults.size === 1 ? 'Leave it out' : 'Leave them out'}
          </Button>
        )
      }
    >
      {text.savedBeforeText(savedBefore)}{' '}
      {faults.size > 0 ? text.refusedText(faults.size) : sentence}
    </Band>
  )
}

interface QuestionProps {
  unticked: number
  onAnswer: (isConfirmed: boolean) => void
}

function Question({ unticked, onAnswer }: QuestionProps) {
  return (
    <div className={classes.question} role="group" aria-label="Close without saving?">
      <p role="alert">{text.leaveSyncText(unticked)}</p>
      <Button
        size={36}
        // The question stands where the buttons stood: the safe answer has the focus.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onClick={() => onAnswer(false)}
      >
        Continue selecting
      </Button>
      <Button size={36} tone="danger" onClick={() => onAnswer(true)}>
        Close without saving
      </Button>
    </div>
  )
}

const ROWS = 5
const ROW_HEIGHT = 52

/** While the media server is asked: a long list comes page by page, and a slow server takes its time. */
function SyncReading({ server }: { server: string }) {
  const nowMs = useBrowserNow()
  const [sinceMs] = useState(nowMs)
  const seconds = Math.max(0, Math.round((nowMs - sinceMs) / 1000))
  return (
    <>
      <p className={classes.reading} role="status">
        {readingText(server, seconds)}
      </p>
      <Skeleton kind="row" count={ROWS} height={ROW_HEIGHT} />
    </>
  )
}

type Answer = (isConfirmed: boolean) => void

/**
 * Asks inside the dialog before what was chosen there is thrown away: by Escape, by the cross, or by a
 * link of the page's head. A second dialog over the first would hide what is at stake.
 * `isAsking` with `answer`, to be shown; `ask` resolves true when nothing
 * stands in the way.
 */
function useLeaveQuestion(hasChanges: boolean) {
  const [pending, setPending] = useState<{ answer: Answer } | null>(null)
  const ask = async (): Promise<boolean> => {
    if (!hasChanges) return true
    // Who tries again while the question stands has not answered it.
    pending?.answer(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    setPending({
      answer: (isConfirmed) => {
        setPending(null)
        resolve(isConfirmed)
      },
    })
    return promise
  }
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // Another tab of this page is no leaving; who is signed out cannot stay.
      if (current.pathname === next.pathname || readSession() === null) return false
      return !(await ask())
    },
    enableBeforeUnload: hasChanges,
    disabled: !hasChanges,
  })
  return {
    isAsking: pending !== null,
    answer: (isConfirmed: boolean) => pending?.answer(isConfirmed),
    ask,
  }
}
