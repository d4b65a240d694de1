/** Second step of Sync: the server's streams, all ticked, and saving those that still are. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { beginState } from '../../forms/form-state.rules.ts'
import { LeaveButtons, LeaveGuard } from '../../forms/leave/AskBeforeLeaving.tsx'
import { ENTERED } from '../../forms/unsaved.messages.ts'
import { useLeaveQuestion } from '../../forms/leave/leave-question.hook.ts'
import { sentenceFor } from '../../lib/api-error.ts'
import { useBrowserNow } from '../../lib/clock.ts'
import { dialogPlace, useKeepingTyping } from '../../shared/kept/kept-typing.hook.ts'
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
import { type PlaceValues, SYNC_KEPT_AS } from './SyncPlaceForm.tsx'
import classes from './SyncStreams.module.css'

interface SyncStreamsProps {
  place: SyncPlace
  /** As the dialog was opened. */
  page: PlaceValues
  /** As the first step left it. */
  initial: PlaceValues
  onBack: () => void
  onClose: () => void
}

const NO_ENTRIES: readonly SyncEntry[] = []

export function SyncStreams({ place, page, initial, onBack, onClose }: SyncStreamsProps) {
  const list = useQuery(syncListQuery(place.server._id))
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set(initial.unticked.names))
  useKeepingSync(page, initial, unticked)
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
          <LeaveButtons
            leaving={leaving}
            sentence={text.leaveSyncText(unticked.size)}
            stayLabel="Continue selecting"
            leaveLabel={ENTERED.leaveLabel}
          />
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
      <LeaveGuard leaving={leaving} />
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

/** The first step finds it when the dialog is opened again after the session has ended. */
function useKeepingSync(page: PlaceValues, chosen: PlaceValues, unticked: ReadonlySet<string>) {
  const names = [...unticked]
  const values = { ...chosen, unticked: { serverId: chosen.serverId, names } }
  const state = { ...beginState({ values: page, version: null }), values }
  useKeepingTyping(SYNC_KEPT, state, names.length > 0)
}

const SYNC_KEPT = dialogPlace(SYNC_KEPT_AS)

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
