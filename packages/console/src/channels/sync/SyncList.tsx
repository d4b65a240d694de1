/** The streams with their ticks; of a long list only those in sight are drawn. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Tick } from '../../ui/choice/Checkbox.tsx'
import { ListBox, Narrow, NARROWED_FROM } from '../../ui/choice/ListBox.tsx'
import { useHeldRow } from '../../ui/scroll/held-row.hook.ts'
import { newText, tickedText } from '../channel.messages.ts'
import { matching, type SyncEntry, type SyncPlace } from './sync.rules.ts'
import classes from './SyncList.module.css'
import { SyncRow } from './SyncRow.tsx'

interface SyncListProps {
  entries: readonly SyncEntry[]
  place: SyncPlace
  /** Names. */
  unticked: ReadonlySet<string>
  /** Why a stream was refused, by its name. */
  faults: ReadonlyMap<string, string>
  /** They are being saved. */
  isLocked: boolean
  onChange: (unticked: ReadonlySet<string>) => void
}

/** More are drawn as they come into sight. */
const LONG_FROM = 100

export function SyncList(props: SyncListProps) {
  const { entries, unticked, onChange } = props
  const [text, setText] = useState('')
  const shown = matching(entries, text)
  const savable = shown.filter(({ isSavable }) => isSavable)
  const off = savable.filter(({ name }) => unticked.has(name)).length
  const ticked = entries.filter(({ name, isSavable }) => isSavable && !unticked.has(name)).length
  const toggleAll = (isOn: boolean) => {
    onChange(withTicks(unticked, savable, isOn))
  }
  return (
    <ListBox label="Streams" isDisabled={props.isLocked}>
      {entries.length >= NARROWED_FROM && <Search text={text} onChange={setText} />}
      <div className={classes.head}>
        <label className={classes.all}>
          <Tick
            checked={savable.length > 0 && off === 0}
            isMixed={off > 0 && off < savable.length}
            disabled={savable.length === 0}
            onChange={toggleAll}
          />
          {text.trim() === '' ? 'Select all' : `Select the ${shown.length} that match`}
        </label>
        <span className={classes.count} role="status">
          {tickedText(ticked, entries.length)},{' '}
          {newText(entries.filter(({ saved }) => saved === null).length)}
        </span>
      </div>
      {shown.length === 0 && <p className={classes.note}>{`Nothing matches '${text}'`}</p>}
      {shown.length > LONG_FROM ? (
        <LongRows {...props} entries={shown} />
      ) : (
        <ul className={classes.list}>
          {shown.map((entry) => (
            <li key={entry.name}>
              <Row {...props} entry={entry} />
            </li>
          ))}
        </ul>
      )}
    </ListBox>
  )
}

function withTicks(
  unticked: ReadonlySet<string>,
  entries: readonly SyncEntry[],
  isOn: boolean,
): ReadonlySet<string> {
  const next = new Set(unticked)
  for (const { name } of entries) {
    if (isOn) next.delete(name)
    else next.add(name)
  }
  return next
}

function Row({ entry, place, unticked, faults, onChange }: SyncListProps & { entry: SyncEntry }) {
  const { name } = entry
  return (
    <SyncRow
      entry={entry}
      place={place}
      isOn={!unticked.has(name)}
      fault={faults.get(name) ?? ''}
      onToggle={(isOn) => onChange(withTicks(unticked, [entry], isOn))}
    />
  )
}

const ROW_HEIGHT = 52
const AROUND = 6

function LongRows(props: SyncListProps) {
  const { entries, faults } = props
  const frame = useRef<HTMLUListElement>(null)
  const { rangeExtractor, holdAt } = useHeldRow()
  // oxlint-disable-next-line react/incompatible-library -- what it answers is drawn here and handed to nobody
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: AROUND,
    rangeExtractor,
    getItemKey: (index) => entries[index]?.name ?? index,
    measureElement: (element) => element.getBoundingClientRect().height || ROW_HEIGHT,
  })
  const faultAt = entries.findIndex(({ name }) => faults.has(name))
  useEffect(() => {
    if (faultAt !== -1) virtualizer.scrollToIndex(faultAt, { align: 'center' })
  }, [faultAt, virtualizer])
  return (
    <ul ref={frame} className={classes.list}>
      <li aria-hidden="true" style={{ height: virtualizer.getTotalSize() }} />
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const entry = entries[index]
        if (entry === undefined) return null
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={classes.placed}
            style={{ transform: `translateY(${start}px)` }}
            aria-setsize={entries.length}
            aria-posinset={index + 1}
            {...holdAt(index)}
          >
            <Row {...props} entry={entry} />
          </li>
        )
      })}
    </ul>
  )
}

function Search({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <Narrow
      aria-label="Search streams"
      placeholder="Search streams"
      value={text}
      onChange={onChange}
      onKeyDown={(event) => {
        // The dialog's own Escape would close it.
        if (event.key !== 'Escape' || text === '') return
        event.stopPropagation()
        onChange('')
      }}
      data-mantine-stop-propagation={text !== '' || undefined}
    />
  )
}
