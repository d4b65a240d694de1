/** Input and Settings of a stream, as its server describes them (CHAN-26). */
import { useQuery } from '@tanstack/react-query'
import {
  downstreamKbps,
  inputTracks,
  rungsLabel,
  sourcesOf,
} from '@trunkline/contract/channels/channel.rules'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { LinkPoint } from '@trunkline/contract/contributions/history.calls'
import type { Family } from '@trunkline/contract/fleet/state-view.rules'
import { useState } from 'react'
import { useBrowserNow } from '../../lib/clock.ts'
import { apiNowMs, SAMPLE_EVERY_MS, SAMPLES_KEPT, type Sample } from '../../lib/live/live-store.ts'
import { recentChannelQuery } from '../../programs/history/link-history.queries.ts'
import { mergedSamples } from '../../programs/history/link-history.rules.ts'
import { Sparkline } from '../../programs/tiles/Sparkline.tsx'
import { numberText, UNKNOWN } from '../../shared/format.ts'
import { ReadingAge } from '../../shared/state/ReadingAge.tsx'
import { CopyText } from '../../ui/button/CopyText.tsx'
import { audioText, detailOf, onOff, videoText, withUnit } from '../channel-view.rules.ts'
import { WITH_STUFFING } from '../channel.messages.ts'
import type { KnownStream } from '../stream-reading.ts'
import classes from './ChannelPanels.module.css'
import { Fact, Facts, Panel } from './Panel.tsx'

interface ChannelPanelsProps {
  channelId: string
  known: KnownStream
}

export function ChannelPanels({ channelId, known }: ChannelPanelsProps) {
  const stream = detailOf(known.reading)
  const url = stream === null ? undefined : shownSource(stream)
  const tracks = stream === null ? [] : (inputTracks(stream) ?? [])
  const kbps = stream === null || stream.disabled === true ? null : downstreamKbps(stream)
  return (
    <>
      <Panel title="Input" aside={<ReadingAge cameAtMs={known.cameAtMs} />}>
        <Facts>
          <Fact name="Url">
            {url === undefined ? UNKNOWN : <CopyText text={url} label="Copy the input's address" />}
          </Fact>
          <Fact name="Bandwidth">
            <span>
              <b className={classes.strong}>{numberText(kbps)}</b> {kbps !== null && 'kbit/s '}
              {kbps !== null && kbps > 0 && (
                <small className={classes.quiet}>{WITH_STUFFING}</small>
              )}
            </span>
            <Bandwidth channelId={channelId} kbps={kbps} cameAtMs={known.cameAtMs} />
          </Fact>
          <Fact name="Video">{videoText(tracks) || UNKNOWN}</Fact>
          <Fact name="Audio">{withUnit(audioText(tracks))}</Fact>
        </Facts>
      </Panel>
      <Panel title="Settings">
        <Facts isPaired>
          <Fact name="Transcoder">{capital(stream && onOff(stream.stats.running_transcoder))}</Fact>
          <Fact name="DVR">{capital(stream && onOff(stream.stats.dvr_enabled))}</Fact>
          <Fact name="Template">{stream?.template || UNKNOWN}</Fact>
          <Fact name="Quality">{stream === null ? UNKNOWN : rungsLabel(stream)}</Fact>
        </Facts>
      </Panel>
    </>
  )
}

/** The one that is shown; the first of the others while none is, as the list says it too. */
function shownSource(stream: StreamDetail): string | undefined {
  const { current, standby } = sourcesOf(stream)
  return (current ?? standby[0])?.url
}

function capital(word: string | null): string {
  return word === null ? UNKNOWN : word.charAt(0).toUpperCase() + word.slice(1)
}

interface BandwidthProps {
  channelId: string
  kbps: number | null
  /** Of the reading, this browser's clock. */
  cameAtMs: number | null
}

/** The bandwidth of the last five minutes: what the API kept, then what came since the detail was opened. */
function Bandwidth({ channelId, kbps, cameAtMs }: BandwidthProps) {
  const nowMs = useBrowserNow()
  const { data: kept = NO_POINTS } = useQuery(recentChannelQuery(channelId))
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const lastMs = samples.at(-1)?.atMs ?? 0
  if (cameAtMs !== null && cameAtMs - lastMs >= SAMPLE_EVERY_MS) {
    setSamples([...samples, { atMs: cameAtMs, kbps }].slice(-SAMPLES_KEPT))
  }
  const shown = [...before(kept, samples), ...samples]
  // One point is no line.
  if (shown.length < 2) return null
  return (
    <span className={classes.line}>
      <Sparkline samples={shown} nowMs={nowMs} targetKbps={null} family={familyOf(kbps)} />
    </span>
  )
}

const NO_POINTS: readonly LinkPoint[] = []

/** By this browser's clock, as what it has seen itself. */
function before(kept: readonly LinkPoint[], seen: readonly Sample[]): readonly Sample[] {
  const offsetMs = apiNowMs() - Date.now()
  const untilMs = seen[0]?.atMs ?? Infinity
  return mergedSamples(kept, [])
    .map(({ atMs, kbps }) => ({ atMs: atMs - offsetMs, kbps }))
    .filter(({ atMs }) => atMs < untilMs)
}

/** Nothing comes in is trouble; not known is not called well. */
function familyOf(kbps: number | null): Family {
  if (kbps === null) return 'off'
  return kbps === 0 ? 'bad' : 'ok'
}
