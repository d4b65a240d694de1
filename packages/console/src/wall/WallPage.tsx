/** Several channels and encoders side by side: the page that one operator leaves open all shift. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { CHANNEL_DETAIL } from '../channels/detail/channel-detail.loader.ts'
import { PLAYER } from '../channels/player/player.loader.ts'
import { EncoderCard } from '../encoders/dashboard/EncoderCard.tsx'
import { ENCODER_LOG } from '../encoders/encoder-log.loader.ts'
import { usePreload } from '../lib/later.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { LaterDialog } from '../shared/page/Later.tsx'
import { LiveMark } from '../shared/page/LiveMark.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { StaleBand } from '../shared/page/StaleBand.tsx'
import { PageClock } from '../shared/page/PageClock.tsx'
import { Button, IconButton } from '../ui/button/Button.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { NotRead } from '../ui/notice/NotRead.tsx'
import { Skeleton } from '../ui/notice/Skeleton.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { useBareScreen, useSize } from './page.hooks.ts'
import { useTroubles, type Trouble } from './trouble.hook.ts'
import { useWallTiles, type WallTile } from './wall-tiles.hook.ts'
import * as text from './wall.messages.ts'
import { layoutOf, moved, type TileKey } from './wall.rules.ts'
import { WallGrid } from './WallGrid.tsx'
import classes from './WallPage.module.css'
import { WallPicker } from './WallPicker.tsx'

/** So that opening a tile waits for the picture alone. */
const CHANNELS_WANT = [CHANNEL_DETAIL, PLAYER]
const ENCODERS_WANT = [ENCODER_LOG]

export function WallPage() {
  const wall = useWallTiles()
  const [openKey, setOpenKey] = useState<TileKey | null>(null)
  const [isPicking, setPicking] = useState(false)
  const [isArranging, setArranging] = useState(false)
  const screen = useBareScreen()
  const troubles = useTroubles()
  const stage = useRef<HTMLDivElement>(null)
  const layout = layoutOf(wall.tiles.length, useSize(stage))
  const { onMove, onRemove } = useArranging(wall)
  useShortcut('f', screen.toggle)
  useShortcut('r', wall.refetch)
  usePreload(has(wall.tiles, 'channel'), CHANNELS_WANT)
  usePreload(has(wall.tiles, 'encoder'), ENCODERS_WANT)
  const tools = (
    <>
      {troubles.worst !== null && <TroubleCount worst={troubles.worst} count={troubles.count} />}
      <Button
        size={32}
        // What is on the wall is what is ticked at first.
        disabledReason={wall.isLoading ? text.READING : null}
        onClick={() => setPicking(true)}
      >
        {text.EMPTY.choose}
      </Button>
      <Button
        size={32}
        aria-pressed={isArranging}
        disabledReason={wall.tiles.length === 0 ? text.NOTHING_TO_ARRANGE : null}
        onClick={() => setArranging(!isArranging)}
      >
        {isArranging ? 'Done' : 'Arrange'}
      </Button>
      <IconButton
        icon="full-screen"
        label={screen.isBare ? 'Leave full screen' : 'Full screen'}
        aria-pressed={screen.isBare}
        onClick={screen.toggle}
      />
    </>
  )
  return (
    <div className={classes.page}>
      {screen.isBare ? <BareHead tools={tools} /> : <PageHead title={text.TITLE} tools={tools} />}
      <div ref={stage} className={classes.stage}>
        {wall.isLoading ? (
          <Waiting error={wall.error} onRetry={wall.refetch} />
        ) : (
          <WallGrid
            tiles={wall.tiles}
            layout={layout}
            isArranging={isArranging}
            openKey={openKey}
            onOpen={setOpenKey}
            onMove={onMove}
            onRemove={onRemove}
            onTrouble={troubles.onTrouble}
          />
        )}
        {!wall.isLoading && wall.tiles.length === 0 && (
          <EmptyWall onChoose={() => setPicking(true)} />
        )}
      </div>
      <p role="status">
        <Hidden>{wall.tiles.length === 0 ? '' : troubles.spoken}</Hidden>
      </p>
      <Opened
        tile={wall.tiles.find(({ key }) => key === openKey)}
        onClose={() => setOpenKey(null)}
      />
      {isPicking && (
        <WallPicker
          keys={wall.tiles.map(({ key }) => key)}
          group={wall.ownGroup}
          onChoose={wall.choose}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  )
}

function has(tiles: readonly WallTile[], kind: WallTile['kind']): boolean {
  return tiles.some((tile) => tile.kind === kind)
}

/** The same two functions for good: a tile is drawn anew only for what concerns it. */
function useArranging(wall: ReturnType<typeof useWallTiles>) {
  const latest = useRef(wall)
  useEffect(() => {
    latest.current = wall
  })
  const keysNow = () => latest.current.tiles.map(({ key }) => key)
  const onMove = useCallback((key: TileKey, step: -1 | 1) => {
    latest.current.choose(moved(keysNow(), key, step))
  }, [])
  const onRemove = useCallback((key: TileKey) => {
    latest.current.choose(keysNow().filter((item) => item !== key))
  }, [])
  return { onMove, onRemove }
}

function TroubleCount({ worst, count }: { worst: Trouble; count: number }) {
  return (
    <span className={classes.trouble} data-f={worst.family}>
      <Shape shape={worst.shape} family={worst.family} />
      {text.attentionText(count)}
    </span>
  )
}

/** Of the wall that fills the screen: as low as it can be, and what tells that it is alive. */
function BareHead({ tools }: { tools: ReactNode }) {
  return (
    <>
      <div className={classes.bare}>
        <h1>{text.TITLE}</h1>
        <LiveMark />
        <PageClock />
        <div>{tools}</div>
      </div>
      <StaleBand />
    </>
  )
}

function Waiting({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === null) return <Skeleton kind="card" count={4} height={180} />
  return <NotRead title={text.LISTS_FAILED} error={error} onRetry={onRetry} />
}

function EmptyWall({ onChoose }: { onChoose: () => void }) {
  return (
    <Empty
      title={text.EMPTY.title}
      action={
        <Button tone="primary" onClick={onChoose}>
          {text.EMPTY.choose}
        </Button>
      }
    >
      {text.EMPTY.what}
    </Empty>
  )
}

function Opened({ tile, onClose }: { tile: WallTile | undefined; onClose: () => void }) {
  if (tile === undefined) return null
  return tile.kind === 'channel' ? (
    <LaterDialog part={CHANNEL_DETAIL} props={{ channel: tile.channel, onClose }} />
  ) : (
    <EncoderDialogs encoder={tile.encoder} onClose={onClose} />
  )
}

/** What a click on an encoder's tile opens: its card, as the dashboard has it, and from there its log. */
function EncoderDialogs({ encoder, onClose }: { encoder: Encoder; onClose: () => void }) {
  const [isLogOpen, setLogOpen] = useState(false)
  // One dialog deep, never two: the log stands in for the card.
  if (isLogOpen) return <LaterDialog part={ENCODER_LOG} props={{ encoder, onClose }} />
  return (
    <Dialog title="Encoder" subtitle={encoder.title} width={440} isOpen onClose={onClose}>
      <EncoderCard encoder={encoder} onLog={() => setLogOpen(true)} />
    </Dialog>
  )
}
