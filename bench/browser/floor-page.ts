/**
 * The floor of every page: React and a virtual list of 10,000 rows, nothing else. With `?live=port` a
 * WebSocket at that port names rows that changed. Bundled by floor-site.ts.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { createElement as h, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

const ROWS = 10_000
const ROW_PX = 40
const CELLS = 9
const AROUND = 8

interface FloorRow {
  title: string
  changes: number
}

const first: readonly FloorRow[] = Array.from({ length: ROWS }, (_, at) => ({
  title: `Camera ${String(at).padStart(6, '0')}`,
  changes: 0,
}))

function FloorPage() {
  const [rows, setRows] = useState(first)
  useEffect(() => listen((changed) => setRows((before) => withChanges(before, changed))), [])
  const frame = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- what it answers is drawn here
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: AROUND,
  })
  const body = virtualizer.getVirtualItems().map(({ index, key, start }) =>
    h(
      'div',
      {
        key,
        'data-row': index,
        style: { position: 'absolute', top: 0, transform: `translateY(${start}px)` },
      },
      Array.from({ length: CELLS }, (_, at) => h('span', { key: at }, textOf(rows[index], at))),
    ),
  )
  return h(
    'div',
    { ref: frame, id: 'frame', style: { height: '100vh', overflow: 'auto' } },
    h('div', { style: { height: virtualizer.getTotalSize(), position: 'relative' } }, body),
  )
}

function textOf(row: FloorRow | undefined, cell: number): string {
  if (row === undefined) return ''
  return cell === 0 ? row.title : ` ${row.changes + cell} `
}

function withChanges(rows: readonly FloorRow[], changed: readonly number[]): readonly FloorRow[] {
  const next = [...rows]
  for (const at of changed) {
    const row = next[at]
    if (row !== undefined) next[at] = { ...row, changes: row.changes + 1 }
  }
  return next
}

function listen(tell: (changed: readonly number[]) => void): () => void {
  const port = new URLSearchParams(location.search).get('live')
  if (port === null) return () => undefined
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  socket.addEventListener('message', ({ data }) => tell(JSON.parse(String(data)) as number[]))
  return () => socket.close()
}

const root = document.querySelector('#root')
if (root !== null) createRoot(root).render(h(FloorPage))
