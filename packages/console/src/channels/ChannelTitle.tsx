/**
 * A channel's title, changed in place: double-click, F2 or the pencil; Enter saves, Escape leaves
 * it as it was (CHAN-07, Q127). A single click opens the channel, but only once it is certain that
 * it was not the first half of a double-click (CHAN-40).
 */
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { Title } from '@trunkline/contract/text.schema'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { ROW_FOCUS } from '../lib/row-keys.ts'
import { showToast } from '../lib/toast.ts'
import { useKeptValues } from '../shared/kept/kept-values.hook.ts'
import { channelNow, useMayChange, useRename } from './channel.actions.ts'
import { TITLE_EMPTY, TITLE_FAILED } from './channel.messages.ts'
import classes from './ChannelTitle.module.css'

/** Longer than most people take between two clicks. */
const DOUBLE_CLICK_MS = 300

export interface TitleEditing {
  isEditing: boolean
  begin: () => void
  end: () => void
}

/** `onEditing`: the page holds its refresh meanwhile (Q128), also when the row goes away under it. */
export function useTitleEditing(onEditing: (isEditing: boolean) => void): TitleEditing {
  const [isEditing, setEditing] = useState(false)
  const { guard } = useMayChange()
  const latest = useRef(onEditing)
  useEffect(() => {
    latest.current = onEditing
  })
  useEffect(() => {
    if (!isEditing) return
    latest.current(true)
    return () => latest.current(false)
  }, [isEditing])
  return {
    isEditing,
    begin: useCallback(() => guard(() => setEditing(true)), [guard]),
    end: () => setEditing(false),
  }
}

interface ChannelTitleProps {
  channel: Channel
  editing: TitleEditing
  /** Null in the detail, which is open already. */
  onOpen: (() => void) | null
  /** How the title looks when it is not being edited. */
  children: ReactNode
}

export function ChannelTitle({ channel, editing, onOpen, children }: ChannelTitleProps) {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const button = useFocusAfter(editing.isEditing)
  const clearTimer = () => clearTimeout(timer.current ?? undefined)
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  if (editing.isEditing) return <TitleField channel={channel} onEnd={editing.end} />
  return (
    <button
      ref={button}
      type="button"
      className={classes.title}
      {...ROW_FOCUS}
      aria-keyshortcuts="F2"
      onClick={(event) => {
        clearTimer()
        if (onOpen === null) return
        // The keyboard's click has no count, and no double.
        if (event.detail === 0) onOpen()
        else if (event.detail === 1) timer.current = setTimeout(onOpen, DOUBLE_CLICK_MS)
      }}
      onDoubleClick={() => {
        clearTimer()
        editing.begin()
      }}
      onKeyDown={(event) => {
        if (event.key === 'F2') editing.begin()
      }}
    >
      {children}
    </button>
  )
}

/** The title has the focus again once the field in its place is gone, unless somebody took it. */
function useFocusAfter(isEditing: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body
    if (wasEditing.current && !isEditing && isFree) button.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  return button
}

function TitleField({ channel, onEnd }: { channel: Channel; onEnd: () => void }) {
  const { title: saved, _id: id } = channel
  const [{ title: text }, keep] = useKeptValues(['row-title', 'channel', id], { title: saved })
  const rename = useRename(channel)
  const isOver = useRef(false)
  const end = () => {
    isOver.current = true
    onEnd()
  }
  const save = () => {
    if (isOver.current || rename.isPending) return
    const title = Title.safeParse(text)
    if (!title.success) {
      showToast('failure', TITLE_FAILED, text.trim() === '' ? TITLE_EMPTY : titleError(title.error))
      return
    }
    // CHAN-08; what somebody else's save refused stays in the field, to be saved or left.
    const endUnlessOutdated = (error: Error) => channelNow(error) === null && end()
    if (title.data === channel.title) end()
    else rename.mutate(title.data, { onSuccess: end, onError: endUnlessOutdated })
  }
  return (
    <input
      className={classes.field}
      aria-label={`Title of ${channel.title}`}
      // Asked for by the double-click itself: typing goes on where the title stood.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      // The dialog's own Escape would close it.
      data-mantine-stop-propagation="true"
      maxLength={120}
      readOnly={rename.isPending}
      value={text}
      onChange={(event) => keep({ title: event.target.value })}
      onFocus={(event) => event.target.select()}
      onBlur={end}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        // Else the same key would press the title that gets the focus back, and open the channel.
        event.preventDefault()
        if (event.key === 'Enter') save()
        else end()
      }}
    />
  )
}

function titleError(error: { issues: readonly { message: string }[] }): string {
  return `The title ${error.issues[0]?.message ?? 'is not valid.'}`
}
