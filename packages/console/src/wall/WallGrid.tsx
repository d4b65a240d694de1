/** The tiles in rows and columns; arrows walk them, with Shift they move the tile itself. */
import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { useShortcut } from '../lib/shortcuts.ts'
import { ChannelTile } from './ChannelTile.tsx'
import { EncoderTile } from './EncoderTile.tsx'
import type { TilePlace } from './Tile.tsx'
import type { WallTile } from './wall-tiles.hook.ts'
import type { Layout, TileKey } from './wall.rules.ts'
import classes from './WallGrid.module.css'

interface WallGridProps {
  tiles: readonly WallTile[]
  layout: Layout
  isArranging: boolean
  openKey: TileKey | null
  onOpen: TilePlace['onOpen']
  onMove: TilePlace['onMove']
  onRemove: TilePlace['onRemove']
  onTrouble: TilePlace['onTrouble']
}

export function WallGrid({ tiles, layout, openKey, ...rest }: WallGridProps) {
  const list = useRef<HTMLUListElement>(null)
  const [heard, setHeard] = useState<TileKey | null>(null)
  const hear = useCallback((key: TileKey) => setHeard((now) => (now === key ? null : key)), [])
  const move = useMoving(list, tiles, rest.onMove)
  useWalk(list, layout.columns)
  useShortcut('m', () => {
    const key = keyOf(document.activeElement)
    if (key !== null && key.startsWith('channel:')) hear(key)
  })
  const moveByKey = (event: KeyboardEvent) => {
    const key = keyOf(event.target)
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : null
    if (!event.shiftKey || key === null || step === null) return
    event.preventDefault()
    move(key, step)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the buttons in it
    <ul
      ref={list}
      className={classes.grid}
      data-fitted={layout.tilePx !== null || undefined}
      style={{ '--columns': layout.columns, '--tile': `${layout.tilePx}px` } as CSSProperties}
      aria-label="Tiles"
      onKeyDown={moveByKey}
    >
      {tiles.map((tile, index) => {
        const place = {
          tileKey: tile.key,
          isFirst: index === 0,
          isLast: index === tiles.length - 1,
          isOpen: tile.key === openKey,
          isArranging: rest.isArranging,
          onOpen: rest.onOpen,
          onMove: move,
          onRemove: rest.onRemove,
          onTrouble: rest.onTrouble,
        }
        return (
          <li key={tile.key}>
            {tile.kind === 'channel' ? (
              <ChannelTile
                {...place}
                channel={tile.channel}
                isHeard={heard === tile.key}
                onHear={hear}
              />
            ) : (
              <EncoderTile {...place} encoder={tile.encoder} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function buttonsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])]
}

/** Of the tile that holds that element. */
function keyOf(element: EventTarget | null): TileKey | null {
  if (!(element instanceof Element)) return null
  const button = element.closest('article')?.querySelector<HTMLElement>('[data-tile]')
  return (button?.dataset['tile'] as TileKey | undefined) ?? null
}

/** What is moved keeps the focus: the browser takes it from an element that changes its place. */
function useMoving(
  list: RefObject<HTMLElement | null>,
  tiles: readonly WallTile[],
  onMove: TilePlace['onMove'],
): TilePlace['onMove'] {
  const focused = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    const element = focused.current
    focused.current = null
    if (element !== null && list.current?.contains(element) === true) element.focus()
  }, [tiles, list])
  return useCallback(
    (key, step) => {
      const { activeElement } = document
      focused.current = activeElement instanceof HTMLElement ? activeElement : null
      onMove(key, step)
    },
    [onMove],
  )
}

function useWalk(list: RefObject<HTMLElement | null>, columns: number): void {
  const walk = (step: number) => {
    const buttons = buttonsOf(list.current)
    const at = buttons.findIndex(
      (button) => button.dataset['tile'] === keyOf(document.activeElement),
    )
    if (at === -1) {
      buttons[0]?.focus()
      return
    }
    // Up from the first line, or down from the last: it stays, so that no key jumps.
    buttons[at + step]?.focus()
  }
  useShortcut('ArrowRight', () => walk(1))
  useShortcut('ArrowLeft', () => walk(-1))
  useShortcut('ArrowDown', () => walk(columns))
  useShortcut('ArrowUp', () => walk(-columns))
}
