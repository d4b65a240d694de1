/** What a timeline shows: its filters and pages, read again soon after something has changed. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sentenceFor } from '../../lib/api-error.ts'
import { apiNowMs } from '../../lib/live/live-store.ts'
import { saveTextFile } from '../../lib/save-file.ts'
import { showToast } from '../../lib/toast.ts'
import type { NamedObject } from './timeline-csv.rules.ts'
import { EXPORT_CUT, EXPORT_FAILED } from './timeline.messages.ts'
import { readForExport, timelineQuery } from './timeline.queries.ts'
import type { TimelineFilter, TimelineSpan } from './timeline.rules.ts'

/** The API writes events about a second after they were observed. */
const READ_AFTER_MS = 2500

export function useTimeline(object: NamedObject, cue: string) {
  const [filter, setFilter] = useState<TimelineFilter>('all')
  const [span, setSpan] = useState<TimelineSpan>('all')
  const [isSaving, setSaving] = useState(false)
  const asked = { kind: object.kind, id: object.id, filter, span }
  const query = useInfiniteQuery(timelineQuery(asked))
  const { refetch } = query
  useOnceAfter(cue, () => void refetch())
  const save = async () => {
    setSaving(true)
    try {
      const { events, isCut } = await readForExport(asked)
      const { fileName, timelineCsv } = await import('./timeline-csv.rules.ts')
      saveTextFile(fileName(object.title, apiNowMs()), 'text/csv', timelineCsv(object, events))
      if (isCut) showToast('warning', EXPORT_CUT, object.title)
    } catch (error) {
      showToast('failure', sentenceFor(error, EXPORT_FAILED), object.title)
    } finally {
      setSaving(false)
    }
  }
  return { filter, setFilter, span, setSpan, query, save, isSaving }
}

/** However often the cue changes meanwhile. */
function useOnceAfter(cue: string, act: () => void): void {
  const latest = useRef(act)
  const seen = useRef(cue)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (seen.current === cue) return
    seen.current = cue
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, READ_AFTER_MS)
  }, [cue])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}
