/** The link behind a row: what it measured, and whether the other end is there (Q140). */
import { useQuery } from '@tanstack/react-query'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { type PeerState, peerStateFromLog } from '@trunkline/contract/program-state'
import { type ReactNode, useState } from 'react'
import { useHistory } from '../lib/live-hooks.ts'
import { durationText, numberText, UNKNOWN } from '../shared/format.ts'
import { Sparkline } from '../shared/Sparkline.tsx'
import { Shape } from '../ui/Shape.tsx'
import { linkLogQuery } from './contribution.queries.ts'
import { countsBetween, type Link, lostPerMinute, savedPercent, withReading } from './link.rules.ts'
import type { LinkView } from './link-view.hook.ts'
import classes from './LinkDetail.module.css'

interface LinkDetailProps {
  link: Link
  shown: LinkView
}

export function LinkDetail({ link, shown }: LinkDetailProps) {
  return (
    <div className={classes.detail}>
      <LinkTiles link={link} shown={shown} />
      <TargetStatus link={link} shown={shown} />
    </div>
  )
}

function LinkTiles({ link, shown: { reading, nowMs, view } }: LinkDetailProps) {
  const samples = useHistory(link.kind, link.id)
  const values = samples.flatMap((sample) => (sample.kbps === null ? [] : [sample.kbps]))
  const recent = useRecent(reading)
  const first = recent[0]
  const minute = reading && first && first !== reading ? countsBetween(first, reading) : null
  const whole = reading && {
    packets: reading.packets,
    lost: reading.lostPackets,
    dropped: reading.droppedPackets,
  }
  const perMinute = minute === null ? null : lostPerMinute(minute)
  const saved = savedPercent(minute ?? whole ?? NO_PACKETS)
  return (
    <>
      <Tile
        name={link.kind === 'input' ? 'Received' : 'Sent'}
        value={numberText(reading?.bitrateKbps ?? null)}
        unit="kbps"
        note={
          values.length === 0
            ? 'no reading in the last 5 min'
            : `min ${numberText(Math.min(...values))}, max ${numberText(Math.max(...values))}`
        }
      >
        <Sparkline samples={samples} nowMs={nowMs} targetKbps={null} family={view.family} />
      </Tile>
      <Tile
        name="RTT"
        value={rttText(reading?.rttMs ?? null)}
        unit="ms"
        note={`latency set to ${numberText(link.latencyMs)} ms`}
      />
      <Tile
        name="Saved by resend"
        value={saved === null ? UNKNOWN : saved.toFixed(1)}
        unit="%"
        note={
          whole === null
            ? 'no reading'
            : `${numberText(Math.max(0, whole.lost - whole.dropped))} packets since its start`
        }
      />
      <Tile
        name="Lost for good"
        value={numberText(perMinute ?? whole?.dropped ?? null)}
        unit={perMinute === null ? 'packets' : '/min'}
        note={whole === null ? 'no reading' : `${numberText(whole.dropped)} since its start`}
        isBad={(perMinute ?? 0) > 0}
      />
    </>
  )
}

/** On one machine it is less than a millisecond, and that is not 0. */
function rttText(rttMs: number | null): string {
  return rttMs !== null && rttMs < 10 ? rttMs.toFixed(1) : numberText(rttMs)
}

const NO_PACKETS = { packets: 0, lost: 0, dropped: 0 }

/** The readings of the last minute, as far as this row has been open to see them. */
function useRecent(reading: LinkReading | null): readonly LinkReading[] {
  const [kept, setKept] = useState<readonly LinkReading[]>([])
  if (reading === null) return kept
  const next = withReading(kept, reading)
  if (next !== kept) setKept(next)
  return next
}

interface TileProps {
  name: string
  value: string
  unit: string
  note: string
  isBad?: boolean
  children?: ReactNode
}

function Tile({ name, value, unit, note, isBad = false, children }: TileProps) {
  return (
    <section className={classes.tile} aria-label={name} data-bad={isBad || undefined}>
      <h2>{name}</h2>
      <p>
        <b>{value}</b> {value !== UNKNOWN && unit}
      </p>
      {children !== undefined && <span className={classes.chart}>{children}</span>}
      <small>{note}</small>
    </section>
  )
}

const WORDS: Record<PeerState, string> = {
  connected: 'CONNECTED',
  disconnected: 'DISCONNECTED',
  '': '',
}

function TargetStatus({ link, shown: { status, nowMs, view } }: LinkDetailProps) {
  const hasProgram = link.type !== 'Local' && link.isEnabled
  const { data } = useQuery({ ...linkLogQuery(link, 'glance'), enabled: hasProgram })
  const lines = (data?.results ?? '').split('\n').filter((line) => line.trim() !== '')
  const said = lines.findLast((line) => /connected|accepted/i.test(line))
  // What is pushed is newer than what was read from the log a moment ago.
  const peer = status?.peer || peerStateFromLog(lines)
  return (
    <section className={classes.target} aria-label="Target status">
      <h2>
        {peer === 'connected' && <Shape shape="disc" family="ok" size={13} />}
        {peer === 'disconnected' && <Shape shape="half-disc" family="warn" size={13} />}
        TARGET STATUS: {WORDS[peer] || UNKNOWN}
        {view.sinceMs !== null && <span>{durationText(nowMs - view.sinceMs)}</span>}
      </h2>
      <p className={classes.said}>
        {said ?? (peer === '' ? 'The log does not speak of the other end yet.' : '')}
      </p>
      <Facts link={link} status={status} />
      {status?.cause && <p className={classes.cause}>{status.cause}</p>}
    </section>
  )
}

function Facts({ link, status }: { link: Link; status: LinkView['status'] }) {
  const { selection, type: keyBits } = link.encryption
  return (
    <dl>
      <dt>Type</dt>
      <dd>{link.type}</dd>
      <dt>Key</dt>
      <dd>{selection === 'yes' ? `AES-${keyBits}` : 'none'}</dd>
      {status !== null && (
        <>
          <dt>Process</dt>
          <dd>{status.pid === null ? 'none' : `pid ${status.pid}`}</dd>
          <dt>Restarts nobody asked for</dt>
          <dd>{status.restarts}</dd>
        </>
      )}
      {status?.waitsForRestart === true && <dd>Saved settings apply after a restart</dd>}
      {status?.waitsForHost === true && <dd>Saved settings wait for the host</dd>}
    </dl>
  )
}
