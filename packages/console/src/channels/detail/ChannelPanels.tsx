/** Input and Settings of a stream, as its server describes them (CHAN-26). */
import {
  downstreamKbps,
  inputTracks,
  rungsLabel,
  sourcesOf,
} from '@trunkline/contract/channels/channel.rules'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { numberText, UNKNOWN } from '../../shared/format.ts'
import { ReadingAge } from '../../shared/state/ReadingAge.tsx'
import { CopyText } from '../../ui/button/CopyText.tsx'
import { audioText, detailOf, onOff, videoText, withUnit } from '../channel-view.rules.ts'
import { Bandwidth } from './Bandwidth.tsx'
import classes from './ChannelPanels.module.css'
import { WITH_STUFFING } from '../channel.messages.ts'
import { Fact, Facts, Panel } from './Panel.tsx'
import type { KnownStream } from '../stream-reading.ts'

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
